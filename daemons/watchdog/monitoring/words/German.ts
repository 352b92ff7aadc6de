/** Results of checks in German. Names of queues and of system errors stay as the programs write them. */
import { amounts } from "./Amounts.ts"
import { postgresFaults, unitResults, unitStates, unitSubStates } from "./ForeignWords.ts"
import type { ResultValues, Sentences } from "./ResultValues.ts"

const { fixed, hours, mebibytes, size } = amounts("de")

const took = ({ response_ms }: { readonly response_ms?: number }) =>
  response_ms === undefined ? "" : ` in ${Math.round(response_ms)} ms`

const reasons: Readonly<Record<ResultValues["command_refused"]["why"], string>> = {
  no_file: "es ist keine Datei",
  others_may_change: "andere dürfen es ändern",
  foreign_owner: "es gehört einem anderen Benutzer",
  not_started: "es startet nicht"
}

/** States and health of containers. Source: Docker Engine API, ContainerState. */
const containerStates: Readonly<Record<string, string>> = {
  running: "läuft",
  healthy: "gesund",
  unhealthy: "nicht gesund",
  starting: "startet",
  paused: "angehalten",
  restarting: "startet neu",
  created: "erstellt, nicht gestartet",
  exited: "beendet",
  stopped: "gestoppt",
  dead: "tot"
}

const verdicts = { degraded: "eingeschränkt", down: "ausgefallen" } as const

export const german: Sentences = {
  timed_out: ({ seconds }) => `kein Ergebnis innerhalb von ${seconds} s`,
  unreadable: ({ error }) => `nicht lesbar: ${error}`,
  disk: ({ available_bytes, full_in_hours, share, size_bytes }) =>
    `${fixed(share, 1)} % belegt, ${size(available_bytes)} von ${size(size_bytes)} frei` +
    (full_in_hours === null ? "" : `; bei diesem Tempo in ${hours(full_in_hours)} voll`),
  inodes: ({ inodes, share }) => `${fixed(share, 1)} % von ${inodes} Inodes belegt`,
  no_inode_limit: () => "das Dateisystem hat keine feste Zahl von Inodes",
  memory: ({ available_bytes, share, total_bytes }) =>
    `${fixed(share, 1)} % belegt, ${mebibytes(available_bytes)} von ${mebibytes(total_bytes)} verfügbar`,
  memory_hidden: () => "/proc/meminfo ist nicht lesbar: siehe README.md",
  memory_unnamed: () => "/proc/meminfo nennt keinen verfügbaren Speicher",
  load: ({ load_5, processors }) => `Last ${fixed(load_5, 2)} über fünf Minuten auf ${processors} Prozessoren`,
  clock: ({ seconds, server }) =>
    `geht ${fixed(Math.abs(seconds), 3)} s ${seconds < 0 ? "vor" : "nach"}, verglichen mit ` +
    (server ?? "der Uhr der Datenbank"),
  time_server: ({ why }) => `Zeitserver: ${why}`,
  systemd_silent: () => "systemd antwortet nicht",
  unit_missing: () => "die Unit gibt es nicht",
  unit_failed: ({ result }) => `ausgefallen: ${unitResults[result] ?? result}`,
  unit_restarting: ({ result }) => `startet immer wieder neu: ${unitResults[result] ?? result}`,
  unit: ({ state, sub_state }) => `${unitStates[state] ?? state} (${unitSubStates[sub_state] ?? sub_state})`,
  container: ({ state }) => containerStates[state] ?? state,
  container_exited: ({ exit_code }) => `beendet mit Exit-Code ${exit_code}`,
  container_out_of_memory: () => "beendet: kein Speicher mehr",
  container_missing: () => "diesen Container gibt es nicht",
  container_bad_name: () => "so kann kein Container heißen",
  engine: ({ containers }) => `antwortet, ${containers} Container`,
  engine_absent: () => "den Socket der Container-Engine gibt es nicht",
  engine_unusable: ({ error }) => `der Socket der Container-Engine ist nicht benutzbar: ${error}`,
  engine_timed_out: ({ milliseconds }) => `die Container-Engine antwortet nicht innerhalb von ${milliseconds} ms`,
  engine_refused: ({ status }) => `die Container-Engine lehnt mit HTTP-Status ${status} ab`,
  engine_unclear: ({ why }) => `die Antwort der Container-Engine ist unlesbar: ${why}`,
  mail_queue: ({ at_least, messages, queues }) => {
    const parts = Object.entries(queues).map(([name, count]) => `${count} ${name}`)
    const count = `${messages} ${messages === 1 ? "Nachricht" : "Nachrichten"}`
    return `${at_least ? "mindestens " : ""}${count}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`
  },
  mail_queue_hidden: () => "die Warteschlange darf nicht gelesen werden: siehe README.md",
  certificate: ({ expired, intermediate, until }) =>
    `${expired ? "abgelaufen am" : "gültig bis"} ${until}${intermediate ? ", ein Zwischenzertifikat" : ""}`,
  certificate_early: ({ from }) => `erst gültig ab ${from}`,
  no_certificate: () => "enthält kein Zertifikat",
  postgres: ({ milliseconds }) => `antwortet in ${Math.round(milliseconds)} ms`,
  postgres_failed: ({ message, state }) => `Postgres antwortet nicht: ${postgresFaults[state ?? ""] ?? message}`,
  postgres_silent: () => "Postgres antwortet nicht",
  connections: ({ most, used }) => `${used} von ${most} Verbindungen belegt`,
  transaction: ({ seconds }) => `älteste Transaktion seit ${Math.round(seconds)} s offen`,
  no_transaction: () => "keine offene Transaktion",
  dead_rows: ({ dead, live, table }) => `${dead} tote Zeilen in ${table} neben ${live} anderen`,
  few_dead_rows: ({ rows }) => `keine Tabelle hat mehr als ${rows} tote Zeilen`,
  replication: ({ away, count, lag_bytes }) =>
    `${count} Standbys und Slots, höchstens ${mebibytes(lag_bytes)} im Rückstand` +
    (away.length === 0 ? "" : `; nicht verbunden: ${away.join(", ")}`),
  daemon_ok: () => "in Ordnung",
  daemon_silent: () => "antwortet nicht",
  daemon: ({ degraded, down, verdict }) => {
    const parts = [
      ...degraded.map((name) => `${name} ${verdicts.degraded}`),
      ...down.map((name) => `${name} ${verdicts.down}`)
    ]
    return parts.length === 0 ? verdicts[verdict] : `${verdicts[verdict]}: ${parts.join(", ")}`
  },
  backup: ({ hours: age, last_failed }) =>
    (age === null ? "noch keine Sicherung" : `neueste Sicherung ${hours(age)} alt`) +
    (last_failed ? "; der letzte Lauf ist gescheitert" : ""),
  backup_unscheduled: () => "den Zeitplan gibt es nicht",
  command: ({ exit_code, text }) =>
    exit_code === 0 ? (text === "" ? "in Ordnung" : text) : `Exit-Code ${exit_code}${text === "" ? "" : `: ${text}`}`,
  command_killed: () => "wurde abgebrochen",
  command_refused: ({ error, program, why }) => `das Programm ${program} kann nicht laufen: ${error ?? reasons[why]}`,
  answered: (values) => `hat mit ${values.status} geantwortet${took(values)}`,
  answered_with_text: (values) => `hat mit ${values.status} und dem Text geantwortet${took(values)}`,
  answered_without_text: ({ searched_bytes, status }) =>
    `hat mit ${status} geantwortet, ohne den Text` +
    (searched_bytes === null ? "" : ` in den ersten ${searched_bytes} Bytes`),
  too_many_redirects: ({ most }) => `mehr als ${most} Weiterleitungen`,
  bad_redirect: () => "leitet an eine Adresse weiter, die nicht abgerufen werden kann",
  unresolvable: ({ error }) => `der Name ist nicht auflösbar: ${error}`,
  no_answer: ({ milliseconds }) => `keine Antwort innerhalb von ${milliseconds} ms`,
  connection_failed: ({ error }) => `Verbindung gescheitert: ${error}`,
  tls_failed: ({ error }) => `TLS gescheitert: ${error}`,
  not_http: ({ error }) => `die Antwort ist kein HTTP: ${error}`,
  connected: (values) => `verbunden${took(values)}`,
  no_connection: ({ error }) => `keine Verbindung: ${error}`,
  no_connection_in_time: ({ milliseconds }) => `keine Verbindung innerhalb von ${milliseconds} ms`,
  certificate_valid: ({ days }) => `Zertifikat noch ${days} ${days === 1 ? "Tag" : "Tage"} gültig`,
  certificate_expired: () => "Zertifikat abgelaufen",
  not_verified: ({ error }) => `keine geprüfte Verbindung: ${error}`,
  connection_closed: () => "die Verbindung wurde geschlossen"
}
