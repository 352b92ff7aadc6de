/** Results of checks in English. */
import { amounts } from "./Amounts.ts"
import type { ResultValues, Sentences } from "./ResultValues.ts"

const { hours, mebibytes, size } = amounts("en")

const took = ({ response_ms }: { readonly response_ms?: number }) =>
  response_ms === undefined ? "" : ` in ${Math.round(response_ms)} ms`

const reasons: Readonly<Record<ResultValues["command_refused"]["why"], string>> = {
  no_file: "is no file",
  others_may_change: "others may change it",
  foreign_owner: "belongs to another user",
  not_started: "it does not start"
}

export const english: Sentences = {
  timed_out: ({ seconds }) => `no result within ${seconds} s`,
  unreadable: ({ error }) => `cannot be read: ${error}`,
  disk: ({ available_bytes, full_in_hours, share, size_bytes }) =>
    `${share.toFixed(1)} % used, ${size(available_bytes)} free of ${size(size_bytes)}` +
    (full_in_hours === null ? "" : `; full in ${hours(full_in_hours)} at this rate`),
  inodes: ({ inodes, share }) => `${share.toFixed(1)} % of ${inodes} inodes used`,
  no_inode_limit: () => "the file system has no fixed number of inodes",
  memory: ({ available_bytes, share, total_bytes }) =>
    `${share.toFixed(1)} % used, ${mebibytes(available_bytes)} available of ${mebibytes(total_bytes)}`,
  memory_hidden: () => "/proc/meminfo cannot be read: see README.md",
  memory_unnamed: () => "/proc/meminfo names no available memory",
  load: ({ load_5, processors }) => `load ${load_5.toFixed(2)} over five minutes on ${processors} processors`,
  clock: ({ seconds, server }) =>
    `${Math.abs(seconds).toFixed(3)} s ${seconds < 0 ? "ahead of" : "behind"} ${server ?? "the clock of the database"}`,
  time_server: ({ why }) => `time server: ${why}`,
  systemd_silent: () => "systemd does not answer",
  unit_missing: () => "the unit does not exist",
  unit_failed: ({ result }) => `failed: ${result}`,
  unit_restarting: ({ result }) => `restarts again and again: ${result}`,
  unit: ({ state, sub_state }) => `${state} (${sub_state})`,
  container: ({ state }) => state,
  container_exited: ({ exit_code }) => `stopped with exit code ${exit_code}`,
  container_out_of_memory: () => "stopped: out of memory",
  container_missing: () => "no such container",
  container_bad_name: () => "no container can have this name",
  engine: ({ containers }) => `answers, ${containers} containers`,
  engine_absent: () => "container socket not there",
  engine_unusable: ({ error }) => `container socket cannot be used: ${error}`,
  engine_timed_out: ({ milliseconds }) => `container engine did not answer within ${milliseconds} ms`,
  engine_refused: ({ status }) => `container engine refused with HTTP status ${status}`,
  engine_unclear: ({ why }) => `container engine's answer cannot be read: ${why}`,
  mail_queue: ({ at_least, messages, queues }) => {
    const parts = Object.entries(queues).map(([name, count]) => `${count} ${name}`)
    return `${at_least ? "at least " : ""}${messages} messages${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`
  },
  mail_queue_hidden: () => "the queue may not be read: see README.md",
  certificate: ({ expired, intermediate, until }) =>
    `${expired ? "expired on" : "valid until"} ${until}${intermediate ? ", an intermediate certificate" : ""}`,
  certificate_early: ({ from }) => `not valid before ${from}`,
  no_certificate: () => "holds no certificate",
  postgres: ({ milliseconds }) => `answers in ${Math.round(milliseconds)} ms`,
  postgres_failed: ({ message }) => message,
  postgres_silent: () => "postgres does not answer",
  connections: ({ most, used }) => `${used} of ${most} connections used`,
  transaction: ({ seconds }) => `oldest transaction open for ${Math.round(seconds)} s`,
  no_transaction: () => "no open transaction",
  dead_rows: ({ dead, live, table }) => `${dead} dead rows in ${table}, beside ${live} others`,
  few_dead_rows: ({ rows }) => `no table has more than ${rows} dead rows`,
  replication: ({ away, count, lag_bytes }) =>
    `${count} standbys and slots, ${mebibytes(lag_bytes)} behind at most` +
    (away.length === 0 ? "" : `; not connected: ${away.join(", ")}`),
  daemon_ok: () => "ok",
  daemon_silent: () => "does not answer",
  daemon: ({ degraded, down, verdict }) => {
    const parts = [...degraded.map((name) => `${name} degraded`), ...down.map((name) => `${name} down`)]
    return parts.length === 0 ? verdict : `${verdict}: ${parts.join(", ")}`
  },
  backup: ({ hours: age, last_failed }) =>
    (age === null ? "no backup yet" : `newest backup ${age} hours old`) + (last_failed ? "; the last run failed" : ""),
  backup_unscheduled: () => "the schedule does not exist",
  command: ({ exit_code, text }) =>
    exit_code === 0 ? (text === "" ? "ok" : text) : `exit code ${exit_code}${text === "" ? "" : `: ${text}`}`,
  command_killed: () => "was killed",
  command_refused: ({ error, program, why }) => `the program ${program} cannot run: ${error ?? reasons[why]}`,
  answered: (values) => `answered ${values.status}${took(values)}`,
  answered_with_text: (values) => `answered ${values.status} with the text${took(values)}`,
  answered_without_text: ({ searched_bytes, status }) =>
    `answered ${status}, without the text${searched_bytes === null ? "" : ` in the first ${searched_bytes} bytes`}`,
  too_many_redirects: ({ most }) => `more than ${most} redirects`,
  bad_redirect: () => "it redirects to an address that cannot be requested",
  unresolvable: ({ error }) => `name does not resolve: ${error}`,
  no_answer: ({ milliseconds }) => `no answer within ${milliseconds} ms`,
  connection_failed: ({ error }) => `connection failed: ${error}`,
  tls_failed: ({ error }) => `TLS failed: ${error}`,
  not_http: ({ error }) => `answer is not HTTP: ${error}`,
  connected: (values) => `connected${took(values)}`,
  no_connection: ({ error }) => `no connection: ${error}`,
  no_connection_in_time: ({ milliseconds }) => `no connection within ${milliseconds} ms`,
  certificate_valid: ({ days }) => `certificate holds for ${days} more ${days === 1 ? "day" : "days"}`,
  certificate_expired: () => "certificate has expired",
  not_verified: ({ error }) => `no verified connection: ${error}`,
  connection_closed: () => "connection was closed"
}
