// Examples for the help of each command: what it does in a line, then the command.

export const EXAMPLES: Readonly<Record<string, ReadonlyArray<readonly [what: string, command: string]>>> = {
  serve: [
    ["on port 9000, with its data in a file of your choice", "signalbox serve --port 9000 --db trading.db"],
    [
      "on recorded prices, sixty times faster than real time",
      "signalbox serve --prices replay:example --db replay.db"
    ]
  ],
  demo: [["keep its server up, and look around", "signalbox demo --stay"]],
  open: [
    ["in the browser of this machine", "signalbox open"],
    [
      "for a server behind a proxy, to open elsewhere",
      "signalbox open --print --base https://bots.example.org"
    ]
  ],
  "token create": [
    ["a token for yourself, with all rights", "signalbox token create --account me"],
    [
      "a token for a webhook, valid for three months",
      "signalbox token create --account me --scope alerts --expires 90d"
    ]
  ],
  "token revoke": [["revoke token 3", "signalbox token revoke 3"]],
  "signal export": [["keep one in a file", "signalbox signal export 1 > signal.json"]],
  "signal apply": [["create or update the signals of a file", "signalbox signal apply signal.json"]],
  "signal url": [
    ["with the address that the platform can reach", "signalbox signal url 1 --base https://bots.example.org"]
  ],
  "alert test": [
    ["show what a buy would do now", "signalbox alert test 1 buy BTC/USDT"],
    ["with a stop price, for a program", "signalbox alert test 1 long BTC/USDT --sl 60000 --json"]
  ],
  "account connect": [
    ["connect Binance; the keys are asked for, and not shown", "signalbox account connect binance"],
    [
      "read the keys from a password manager, as a JSON object",
      "pass show okx | signalbox account connect okx --name main"
    ]
  ],
  "account check": [["the one called main", "signalbox account check main"]],
  "account rekey": [["after making new keys at the exchange", "signalbox account rekey main"]],
  "account remove": [["the one called main", "signalbox account remove main --yes"]],
  "strategy export": [["keep one in a file", "signalbox strategy export 1 > strategy.json"]],
  "strategy apply": [
    ["show what would change", "signalbox strategy apply --dry-run strategy.json"],
    ["create or update the strategies of two files", "signalbox strategy apply trend.json dips.json"]
  ],
  "strategy copy": [
    [
      "with its own name and a closer stop",
      "signalbox strategy copy 12 --name Mine --set stop_loss_percentage=3"
    ]
  ],
  "strategy sync": [
    ["show what it would take over, and change nothing", "signalbox strategy sync 15 --dry-run"]
  ],
  "public list": [
    [
      "strategies with real money on BTC/USDT, published a year ago or longer",
      "signalbox public list strategies --mode real --pair BTC/USDT --min-age 365"
    ]
  ],
  "public show": [["a strategy with its record", "signalbox public show strategy 12"]],
  "strategy arm": [
    [
      "show the terms, and change nothing",
      "signalbox strategy arm 1 --account main --capital 500 --max-order 50 --max-daily-loss 25"
    ],
    [
      "arm it, with its stop loss at the exchange too",
      "signalbox strategy arm 1 --account main --capital 500 --max-order 50 --max-daily-loss 25 --protective-stop --yes"
    ]
  ],
  "strategy disarm": [
    ["stop entries, and manage open positions to their end", "signalbox strategy disarm 1"],
    ["close open positions at once", "signalbox strategy disarm 1 --close --yes"]
  ],
  "strategy orders": [["the last five, for a program", "signalbox strategy orders 1 --limit 5 --json"]],
  "position close": [
    ["all of it", "signalbox position close 1 binance BTC/USDT"],
    ["half of it, with real money", "signalbox position close 1 binance BTC/USDT --percent 50 --yes"]
  ],
  "position cancel": [
    ["an entry that waits for the price to turn", "signalbox position cancel 1 binance BTC/USDT"]
  ],
  "position targets": [
    ["a new stop price, and no target", "signalbox position targets 1 binance BTC/USDT --sl 58000 --tp none"]
  ],
  "cluster status": [
    ["the servers of the database in SIGNALBOX_DATABASE", "signalbox cluster status"],
    ["for a program", "signalbox cluster status --json"]
  ],
  "cluster drain": [
    ["before the server at that address is stopped", "signalbox cluster drain 10.0.0.2:8090"],
    ["end it again", "signalbox cluster drain 10.0.0.2:8090 --undo"]
  ],
  halt: [
    ["halt everybody's strategies, with a reason", 'signalbox halt --reason "the exchange is in trouble"'],
    ["halt the strategies of one account", "signalbox halt --account me"]
  ],
  resume: [["end everybody's halt", "signalbox resume"]],
  "exchange disable": [["accept no new strategies for it", "signalbox exchange disable kucoin"]],
  "market show": [
    ["the spot market", "signalbox market show binance BTC/USDT"],
    ["the perpetual, for a program", "signalbox market show bybit ETH/USDT --kind swap --json"]
  ],
  "market refresh": [["two of the exchanges", "signalbox market refresh binance kraken"]],
  backtest: [
    [
      "on the files that signalbox example writes to the folder example",
      "signalbox backtest --strategy example/strategy.json --alerts example/alerts.jsonl --candles BTC/USDT=example/bybit_BTCUSDT_1m_2022-12-13.csv.gz"
    ]
  ],
  sweep: [
    [
      "every setting of a grid",
      "signalbox sweep --strategy example/strategy.json --grid example/grid.json --alerts example/alerts.jsonl --candles BTC/USDT=example/bybit_BTCUSDT_1m_2022-12-13.csv.gz"
    ],
    [
      "as a map of two settings, and as a page with charts",
      "signalbox sweep --strategy strategy.json --grid grid.json --alerts alerts.jsonl --candles BTC/USDT=FOLDER --map stop_loss_percentage,sell_minprofitpercent --html sweep.html"
    ],
    [
      "settings chosen on 90 days for the next 30, again and again, going on after a cut",
      "signalbox sweep --strategy strategy.json --grid grid.json --alerts alerts.jsonl --candles BTC/USDT=FOLDER --walk-forward 90/30 --resume walk.run"
    ]
  ],
  "alerts export": [
    [
      "the alerts for strategy 1 in November",
      "signalbox alerts export --strategy 1 --from 2026-11-01 --to 2026-11-30 --out alerts.jsonl"
    ]
  ],
  "notify pair": [["show a code for the bot of notification 1", "signalbox notify pair 1"]],
  "notify add": [
    ["send events to a phone, by a Telegram bot", "signalbox notify add telegram --chat 123456789"],
    ["post signed events to a program", "signalbox notify add webhook --name desk"]
  ],
  explain: [["the last twenty entries of strategy 1", "signalbox explain 1 --limit 20"]],
  backup: [["beside a running server", "signalbox backup monday.db"]],
  restore: [["to another place, to look at it", "signalbox restore monday.db --db elsewhere/signalbox.db"]],
  doctor: [
    ["of a service, as its user", "sudo -u signalbox signalbox doctor --db /var/lib/signalbox/signalbox.db"]
  ],
  example: [
    ["to a new folder", "signalbox example example"],
    ["the dashboard's template of averaging down", "signalbox example averaging --template dca"]
  ],
  config: [["with another port, for a program", "signalbox config --port 9000 --json"]],
  service: [
    ["install it", "signalbox service | sudo tee /etc/systemd/system/signalbox.service"],
    [
      "with alerts on port 443 of every interface, without a proxy",
      "signalbox service --alert-host 0.0.0.0 --alert-port 443"
    ]
  ],
  completions: [["for bash, from the next terminal on", "signalbox completions bash >> ~/.bashrc"]],
  health: [["of a server on another port", "signalbox health --port 9000"]]
}
