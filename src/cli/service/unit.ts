// The text of the systemd unit. The server gets its data folder and the network, and nothing else of the machine.

/** The values that differ between machines. */
export interface Place {
  readonly binary: string
  readonly user: string
  readonly group: string
  /** Words after `serve`, like `--port 9000`; everything else comes from the configuration file. */
  readonly words: ReadonlyArray<string>
  /** Whether one of its ports is below 1024. */
  readonly isPrivileged: boolean
}

/** The user and the program if none is named. */
export const USER = "signalbox"
export const BINARY = "/usr/local/bin/signalbox"

/** Ten seconds for requests in flight, and then time to store the bots' state. */
const STOP_SECONDS = 30

/** The longest time that the event loop may be stuck; not even the start of a large database comes near it. */
const WATCHDOG_SECONDS = 120

/** The command that prints this very unit, and those that make its user. */
const printing = ({ binary, group, user, words }: Place): string =>
  [
    binary === BINARY ? "signalbox" : binary,
    "service",
    ...(user === USER ? [] : ["--user", user]),
    ...(group === user ? [] : ["--group", group]),
    ...(binary === BINARY ? [] : ["--binary", binary]),
    ...words
  ].join(" ")

const making = ({ group, user }: Place): ReadonlyArray<string> => {
  if (user === "root") return []
  const ofGroup = group === user ? "--user-group" : `--gid ${group}`
  return [
    ...(group === user ? [] : [`groupadd --system --force ${group}`]),
    `useradd --system ${ofGroup} --home-dir /var/lib/signalbox --shell /usr/sbin/nologin ${user}`
  ]
}

export const unit = (place: Place): string => {
  const { binary, group, isPrivileged, user, words } = place
  return `\
# Signalbox as a service of systemd. Printed by signalbox service; to install it, as root:
#
#   install -m 755 signalbox ${binary}
${making(place)
  .map((line) => `#   ${line}\n`)
  .join("")}\
#   ${printing(place)} > /etc/systemd/system/signalbox.service
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
# The program contains a JavaScript runtime that would run other code if one of these were set.
UnsetEnvironment=BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_CONNECT_TO BUN_INSPECT_PRELOAD

# Restart after a crash, but not after a bad setting: it would fail again.
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2
# The server's event loop feeds this watchdog by systemd-notify; a server that hangs is restarted.
WatchdogSec=${WATCHDOG_SECONDS}
NotifyAccess=all
# The server needs a few hundred MiB, and each of two back-tests at a time may take a third of the limit, 1 GiB at most,
# in a process of its own: more is a fault, and must not take the machine down.
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

# Files: no home folders, writing only in the data folder, and no other program but itself and systemd-notify.
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

# Kernel: only what a network program needs. MemoryDenyWriteExecute cannot be used:
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
}
