/**
 * API commands that the double knows, except `originate`; undefined: unknown command. The answers are copied from
 * captures of a real switch.
 */
import type { Call } from "./Call.ts"
import * as Sofia from "./Sofia.ts"

export interface ApiState {
  readonly gateways: Map<string, "up" | "down">
  readonly sofia: Sofia.Sofia
  /** Current calls. */
  readonly live: ReadonlyArray<Call>
  /** Channels that a test declares as existing. */
  readonly existing: ReadonlySet<string>
  readonly sessions: number
  readonly startedAt: number
  readonly pauseCalls: (paused: boolean) => void
}

export const runApi = (state: ApiState, name: string, args: string): string | undefined => {
  const [first = "", second = "", third = ""] = args.split(" ")
  const call = state.live.find(({ plan }) => plan.uuid === first)
  switch (name) {
    case "status":
      return status(state)
    case "uptime":
      return String(Math.floor((Date.now() - state.startedAt) / 1_000))
    case "version":
      return "FreeSWITCH Version 1.11.3-dev~64bit ( 64bit)\n"
    case "create_uuid":
      return crypto.randomUUID()
    case "uuid_exists":
      return String(call !== undefined || state.existing.has(first))
    case "xml_flush_cache":
      return "+OK cleared 1 entry\n"
    case "reloadacl":
      for (const address of state.sofia.networks) state.sofia.admitted.add(address)
      return "+OK acl reloaded\n"
    case "acl":
      return String(second === "trunks" && state.sofia.admitted.has(first))
    case "xml_locate":
      return Sofia.located(state.sofia, args)
    case "uuid_kill":
      if (call === undefined) return "-ERR No such channel!\n"
      call.hangUp(second === "" ? "NORMAL_CLEARING" : second, "switch")
      return "+OK\n"
    case "uuid_recv_dtmf":
      if (call === undefined) return "-ERR No such channel!\n"
      call.press(second)
      return `+OK ${first} received DTMF ${second}.\n`
    case "hupall": {
      const cause = first === "" ? "MANAGER_REQUEST" : first.toUpperCase()
      for (const each of state.live) each.hangUp(cause, "switch")
      return `+OK hangup all channels with cause ${cause}\n`
    }
    case "fsctl":
      if (first !== "pause" && first !== "resume") return "-ERR Invalid command\n"
      state.pauseCalls(first === "pause")
      return "+OK\n"
    case "show":
      if (first !== "channels")
        return "-USAGE: codec|endpoint|application|api|dialplan|file|timer|calls [count]|channels [count|like <match string>]\n"
      return second === "as" && third === "json"
        ? channelsJson(state.live)
        : channelsText(state.live, second === "count")
    case "sofia":
      if (first === "profile" && third.startsWith("rescan")) {
        for (const name of state.sofia.configured) state.gateways.set(name, "up")
        return "+OK scan complete\n"
      }
      if (first === "profile" && (third === "start" || third === "restart")) {
        Sofia.start(state.sofia, second)
        return third === "start" ? `${second} started successfully\n` : `Reload XML [Success]\nrestarting: ${second}\n`
      }
      if (args === "status") return Sofia.statusText(state.sofia, state.gateways.keys())
      if (first === "profile" && third.startsWith("killgw")) return "+OK gateway marked for deletion.\n"
      if (first === "status" && second === "gateway") return gatewayStatus(state, third.replace(/^external::/, ""))
      return `Unknown Command [${first}]\n`
    default:
      return undefined
  }
}

const status = ({ live, sessions }: ApiState): string =>
  `UP 0 years, 0 days, 0 hours, 5 minutes, 53 seconds, 381 milliseconds, 307 microseconds\nFreeSWITCH (Version 1.11.3-dev  64bit) is ready\n${sessions} session(s) since startup\n${live.length} session(s) - peak ${live.length}, last 5min ${live.length} \n${live.length} session(s) per Sec out of max 100, peak 5, last 5min 0 \n200 session(s) max\nmin idle cpu 0.00/41.97\nCurrent Stack Size/Max 240K/8192K\n`

const row = ({ callState, plan, started }: Call) => ({
  uuid: plan.uuid,
  direction: "outbound",
  created: new Date(started).toISOString().slice(0, 19).replace("T", " "),
  created_epoch: String(Math.floor(started / 1_000)),
  name: plan.channelName,
  dest: plan.number,
  callstate: callState,
  call_uuid: plan.uuid
})

const channelsJson = (live: ReadonlyArray<Call>): string =>
  `${live.length === 0 ? '{"row_count": 0}' : JSON.stringify({ row_count: live.length, rows: live.map(row) })}\n`

const channelsText = (live: ReadonlyArray<Call>, countOnly: boolean): string => {
  const total = `\n${live.length} total.\n`
  if (countOnly || live.length === 0) return total
  const rows = live.map(row)
  return `${Object.keys(rows[0]!).join(",")}\n${rows.map((each) => `${Object.values(each).join(",")}\n`).join("")}${total}`
}

const rule = `${"=".repeat(97)}\n`

const gatewayStatus = ({ gateways }: ApiState, name: string): string => {
  const state = gateways.get(name)
  if (state === undefined) return "Invalid Gateway!\n"
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["Name    ", name],
    ["Profile ", "external"],
    ["Scheme  ", "Digest"],
    ["Realm   ", "127.0.0.1"],
    ["Username", "x"],
    ["Password", "yes"],
    ["Ping    ", "1795257374"],
    ["PingFreq", "5"],
    ["PingTime", state === "up" ? "0.90" : "0.00"],
    ["PingState", state === "up" ? "1/1/1" : "1/0/1"],
    ["State   ", "NOREG"],
    ["Status  ", state === "up" ? "UP" : "DOWN"],
    ["Uptime  ", state === "up" ? "357s" : "0s"]
  ]
  return `${rule}${rows.map(([key, value]) => `${key}\t${value}\n`).join("")}${rule}`
}
