/**
 * One line of `signalbox check`. `bad`: a start would fail or would be unsafe. `warn`: a start works, with a
 * limitation.
 */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warn" | "bad"
  readonly detail: string
  /** Statements by which an administrator of the database mends it. */
  readonly sql?: ReadonlyArray<string>
}

export const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail })
export const warn = (check: string, detail: string): Finding => ({ check, status: "warn", detail })
export const bad = (check: string, detail: string): Finding => ({ check, status: "bad", detail })
