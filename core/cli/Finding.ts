/**
 * One line of `signalbox check`. `bad`: a start would fail, or must not happen. `warn`: it would work, with a catch.
 */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warn" | "bad"
  readonly detail: string
}

export const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail })
export const warn = (check: string, detail: string): Finding => ({ check, status: "warn", detail })
export const bad = (check: string, detail: string): Finding => ({ check, status: "bad", detail })
