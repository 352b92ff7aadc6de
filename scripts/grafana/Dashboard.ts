/**
 * The dashboard for Grafana, checked against Grafana's own types. `npm run metrics` writes it to
 * config/grafana/signalbox.json. A test runs each query in Prometheus.
 */
import { type Dashboard, defaultDashboard, type Panel, type RowPanel } from "@grafana/schema"

/** A panel before it has a place. `unit`: a unit of Grafana (`s`, `bytes`, `reqps`, `short`, `percentunit`). */
interface Chart {
  readonly title: string
  readonly description: string
  readonly unit: string
  /** Expressions of Prometheus with the legend of their series. */
  readonly queries: ReadonlyArray<readonly [expression: string, legend: string]>
}

const rate = "$__rate_interval"
/** Restricts a family to the chosen daemons. */
const chosen = (family: string, more = ""): string => `signalbox_${family}{daemon=~"$daemon"${more}}`
const quantile = (share: number, family: string, by: string): string =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${chosen(`${family}_bucket`)}[${rate}])))`

/** Comparisons of copies of rows that failed or were late. */
const failedComparisons = chosen("projection_comparisons_total", ',outcome!="done"')

const sections: ReadonlyArray<readonly [title: string, charts: ReadonlyArray<Chart>]> = [
  [
    "Alarms",
    [
      {
        title: "Alarms by outcome",
        description: "Finished alarms and direct requests.",
        unit: "short",
        queries: [["sum by (outcome) (increase(signalbox_alarms_total[1h]))", "{{outcome}}"]]
      },
      {
        title: "Time to delivery, 95 %",
        description: "From the receipt of an alarm to its delivery.",
        unit: "s",
        queries: [
          [
            "histogram_quantile(0.95, " +
              "sum by (le, channel) (rate(signalbox_alarm_delivery_duration_seconds_bucket[1h])))",
            "{{channel}}"
          ]
        ]
      },
      {
        title: "Attempts by channel and outcome",
        description: "Attempts to reach a target.",
        unit: "short",
        queries: [
          ["sum by (channel, outcome) (increase(signalbox_alarm_attempts_total[1h]))", "{{channel}} {{outcome}}"]
        ]
      },
      {
        title: "Notifications",
        description: "Notifications to users that ended.",
        unit: "short",
        queries: [
          [
            "sum by (channel, outcome) (increase(signalbox_notifications_total[1h])) or vector(0)",
            "{{channel}} {{outcome}}"
          ]
        ]
      }
    ]
  ],
  [
    "Requests",
    [
      {
        title: "Requests",
        description: "Answered requests by daemon and lane.",
        unit: "reqps",
        queries: [
          [
            `sum by (daemon, lane) (rate(${chosen("http_request_duration_seconds_count")}[${rate}]))`,
            "{{daemon}} {{lane}}"
          ]
        ]
      },
      {
        title: "Duration, 99 %",
        description: "Time from a request to its answer.",
        unit: "s",
        queries: [[quantile(0.99, "http_request_duration_seconds", "daemon, lane"), "{{daemon}} {{lane}}"]]
      },
      {
        title: "Errors of servers",
        description: "Answers with a status of 500 or more.",
        unit: "reqps",
        queries: [
          [
            `sum by (daemon) (rate(${chosen("http_requests_total", ',status=~"5.."')}[${rate}])) or vector(0)`,
            "{{daemon}}"
          ]
        ]
      },
      {
        title: "Refusals",
        description: "Refused requests, sign-ins and tokens; and requests refused by the gateway.",
        unit: "reqps",
        queries: [
          [`sum by (daemon, kind) (rate(${chosen("refusals_total")}[${rate}])) or vector(0)`, "{{daemon}} {{kind}}"],
          [`sum by (status) (rate(signalbox_gateway_refusals_total[${rate}])) or vector(0)`, "gateway {{status}}"]
        ]
      }
    ]
  ],
  [
    "Work",
    [
      {
        title: "Jobs that are due",
        description: "Depth of the queues.",
        unit: "short",
        queries: [[`sum by (queue) (${chosen("jobs_waiting", ',due="now"')})`, "{{queue}}"]]
      },
      {
        title: "Age of the oldest job",
        description: "How long the oldest due job has waited.",
        unit: "s",
        queries: [[`max by (queue) (${chosen("job_oldest_age_seconds")})`, "{{queue}}"]]
      },
      {
        title: "Jobs that ended",
        description: "Jobs done, and jobs that went back to their queue.",
        unit: "ops",
        queries: [[`sum by (queue, outcome) (rate(${chosen("jobs_total")}[${rate}]))`, "{{queue}} {{outcome}}"]]
      },
      {
        title: "Rounds of upkeep",
        description: "Failed rounds, and the time since the last completed one.",
        unit: "short",
        queries: [
          [
            `sum by (daemon, sweep) (increase(${chosen("sweep_rounds_total", ',outcome="failed"')}[1h])) or vector(0)`,
            "{{sweep}} failed"
          ],
          [`time() - max by (daemon, sweep) (${chosen("sweep_last_success_timestamp_seconds")})`, "{{sweep}} s ago"]
        ]
      }
    ]
  ],
  [
    "Mail, DNS and checks",
    [
      {
        title: "Mailboxes by mode",
        description: "Watched mailboxes; `failed` cannot be watched.",
        unit: "short",
        queries: [["sum by (mode, kind) (signalbox_mailboxes)", "{{kind}} {{mode}}"]]
      },
      {
        title: "Looks at DNS",
        description: "Checks of domains by depth and result.",
        unit: "ops",
        queries: [
          [
            `sum by (depth, delegation) (rate(signalbox_dns_looks_total[${rate}])) or vector(0)`,
            "{{depth}} {{delegation}}"
          ]
        ]
      },
      {
        title: "Checks of the watchdog",
        description: "Checks by status: 0 ok, 1 warning, 2 critical, 3 unknown, -1 not checked yet.",
        unit: "short",
        queries: [
          ['count by (status) (count_values by (key) ("status", signalbox_check_status)) or vector(0)', "{{status}}"]
        ]
      },
      {
        title: "Open alerts",
        description: "Alerts of the watchdog by severity.",
        unit: "short",
        queries: [["sum by (severity) (signalbox_alerts_open) or vector(0)", "{{severity}}"]]
      }
    ]
  ],
  [
    "Inside",
    [
      {
        title: "Actors",
        description: "Actors that are not running as they should.",
        unit: "short",
        queries: [
          [
            `sum by (daemon, state) (${chosen("actors", ',state=~"waiting|stalled|escalated"')}) or vector(0)`,
            "{{daemon}} {{state}}"
          ],
          [
            `sum by (daemon, actor) (increase(${chosen("actor_restarts_total")}[1h])) or vector(0)`,
            "{{daemon}} {{actor}} restarts"
          ]
        ]
      },
      {
        title: "Events",
        description: "Age of the oldest open transaction, and consumers that are late.",
        unit: "s",
        queries: [
          ["max(signalbox_event_horizon_age_seconds)", "oldest transaction"],
          [`max by (consumer) (${chosen("event_consumer_lag_seconds")}) or vector(0)`, "{{consumer}}"]
        ]
      },
      {
        title: "Copies of rows",
        description: "Comparisons with the database that failed or were late.",
        unit: "ops",
        queries: [
          [
            `sum by (projection, outcome) (rate(${failedComparisons}[${rate}])) or vector(0)`,
            "{{projection}} {{outcome}}"
          ],
          [`min by (projection) (${chosen("projection_age_seconds")})`, "{{projection}} age"]
        ]
      },
      {
        title: "Processor",
        description: "Share of a core.",
        unit: "percentunit",
        queries: [
          [
            `sum by (instance, daemon, mode) (rate(signalbox_process_cpu_seconds_total[${rate}]))`,
            "{{daemon}} {{mode}}"
          ]
        ]
      },
      {
        title: "Memory",
        description: "Memory of each process.",
        unit: "bytes",
        queries: [["sum by (instance, daemon, kind) (signalbox_process_memory_bytes)", "{{daemon}} {{kind}}"]]
      },
      {
        title: "Event loop",
        description: "Delay of the event loop.",
        unit: "s",
        queries: [
          ["max by (instance, daemon, percentile) (signalbox_event_loop_delay_seconds)", "{{daemon}} {{percentile}} %"]
        ]
      },
      {
        title: "Open files",
        description: "Open file descriptors of each process.",
        unit: "short",
        queries: [["sum by (instance, daemon) (signalbox_process_open_fds)", "{{daemon}}"]]
      },
      {
        title: "Versions",
        description: "Versions that run now.",
        unit: "short",
        queries: [["count by (version, node) (signalbox_build_info)", "{{version}}, Node {{node}}"]]
      }
    ]
  ]
]

/** All expressions of the dashboard. */
export const expressions: ReadonlyArray<string> = sections.flatMap(([, charts]) =>
  charts.flatMap(({ queries }) => queries.map(([expression]) => expression))
)

const datasource = { type: "prometheus", uid: "${datasource}" }

/** Columns of Grafana's grid, and those of a chart; height in rows. */
const grid = { columns: 24, width: 12, height: 8 }

const panels = (): ReadonlyArray<Panel | RowPanel> => {
  let [id, top] = [0, 0]
  return sections.flatMap(([title, charts]) => {
    const row: RowPanel = {
      type: "row",
      id: ++id,
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y: top++, w: grid.columns, h: 1 }
    }
    const placed = charts.map(({ description, queries, title, unit }, index): Panel => ({
      type: "timeseries",
      id: ++id,
      title,
      description,
      datasource,
      gridPos: {
        x: (index % 2) * grid.width,
        y: top + Math.floor(index / 2) * grid.height,
        w: grid.width,
        h: grid.height
      },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: queries.map(([expr, legendFormat], at) => ({ refId: String.fromCodePoint(65 + at), expr, legendFormat }))
    }))
    top += Math.ceil(charts.length / 2) * grid.height
    return [row, ...placed]
  })
}

export const dashboard: Dashboard = {
  ...defaultDashboard,
  uid: "signalbox",
  title: "Signalbox",
  description: "Daemons of Signalbox, from their metrics at /metrics.",
  schemaVersion: 41,
  tags: ["signalbox"],
  refresh: "1m",
  time: { from: "now-6h", to: "now" },
  templating: {
    list: [
      { type: "datasource", name: "datasource", label: "Data source", query: "prometheus" },
      {
        type: "query",
        name: "daemon",
        label: "Daemon",
        datasource,
        query: "label_values(signalbox_actors, daemon)",
        multi: true,
        includeAll: true,
        allValue: ".*",
        current: { text: "All", value: "$__all" }
      }
    ]
  },
  panels: [...panels()]
}
