/** Requested properties of a unit. Never its environment or command line. Source: systemctl(1), show. */
export const shownProperties = [
  "Id",
  "Description",
  "LoadState",
  "ActiveState",
  "SubState",
  "Result",
  "ActiveEnterTimestampMonotonic",
  "NRestarts",
  "ExecMainStatus",
  "MainPID",
  "MemoryCurrent"
].join(",")
