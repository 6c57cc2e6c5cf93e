/** What differs from one machine to another. */
export interface Place {
  readonly binary: string
  readonly user: string
  readonly group: string
  /** Words after `serve`, like `--port 9000`; what is left out comes from the configuration file. */
  readonly words: ReadonlyArray<string>
  /** Whether it listens on a port that belongs to root. */
  readonly isPrivileged: boolean
}

/** Requests in flight have ten seconds to end, and what the bots remember is stored after that. */
const STOP_SECONDS = 30

/** So long the event loop may be held up: no request and no start of a large database comes near it. */
const WATCHDOG_SECONDS = 120

/** A systemd unit that lets the server have its data, the network, and nothing else of the machine. */
export const unit = ({ binary, group, isPrivileged, user, words }: Place): string => `\
# Signalbox as a service of systemd. Printed by signalbox service; to install it, as root:
#
#   install -m 755 signalbox ${binary}
${user === "root" ? "" : `#   useradd --system --user-group --home-dir /var/lib/signalbox --shell /usr/sbin/nologin ${user}\n`}\
#   signalbox service > /etc/systemd/system/signalbox.service
#   systemctl daemon-reload
#   systemctl enable --now signalbox
#
# Its data is in /var/lib/signalbox, its settings (if any) in /etc/signalbox/signalbox.toml, its log in the journal:
#
#   journalctl -u signalbox -f
#   sudo -u ${user} ${binary} token create --account me --db /var/lib/signalbox/signalbox.db
#   sudo -u ${user} ${binary} doctor --db /var/lib/signalbox/signalbox.db

[Unit]
Description=Signalbox, a trading automation server
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=exec
ExecStart=${[binary, "serve", ...words].join(" ")}
User=${user}
Group=${group}
StateDirectory=signalbox
StateDirectoryMode=0700
ConfigurationDirectory=signalbox
WorkingDirectory=%S/signalbox
UMask=0077
# The program holds a JavaScript runtime that would run other code in its place where one of these says so.
UnsetEnvironment=BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_CONNECT_TO BUN_INSPECT_PRELOAD

# A crash is followed by a start; a setting that cannot be served with is not, since it would be the same again.
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2
# The server feeds this watchdog by systemd-notify for as long as its event loop turns; one that hangs is started anew.
WatchdogSec=${WATCHDOG_SECONDS}
NotifyAccess=all
# It needs a few hundred MiB, and each of two back-tests at a time may take a third of the limit, 1 GiB at most, in a
# process of its own: what takes more is a flaw, and must not take the machine with it.
MemoryMax=75%
# Where memory is short the kernel ends a back-test first, and the server goes on.
OOMPolicy=continue
# SIGTERM lets requests in flight end first, for ten seconds at most.
KillSignal=SIGTERM
TimeoutStopSec=${STOP_SECONDS}
LimitNOFILE=65536
StandardOutput=journal
StandardError=journal
SyslogIdentifier=signalbox

# Of the file system it sees no home, writes to its data folder alone, and runs no program but itself and systemd-notify.
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateMounts=yes
DevicePolicy=closed
NoExecPaths=/
ExecPaths=${binary} -/usr/bin/systemd-notify -/bin/systemd-notify /lib /lib64 /usr/lib /usr/lib64
ProtectProc=invisible
ProcSubset=pid
RemoveIPC=yes

# Of the kernel it gets what a program on the network needs. MemoryDenyWriteExecute cannot be had:
# JavaScript is compiled to machine code while it runs.
NoNewPrivileges=yes
CapabilityBoundingSet=${isPrivileged ? "CAP_NET_BIND_SERVICE" : ""}
AmbientCapabilities=${isPrivileged ? "CAP_NET_BIND_SERVICE" : ""}
PrivateUsers=${isPrivileged ? "no" : "yes"}
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# Back-tests give way to the bots.
SystemCallFilter=setpriority
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`
