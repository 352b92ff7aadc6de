/**
 * Duration of failed sign-ins by cause. Equal durations prevent attackers from detecting known accounts. The four
 * causes alternate, so that machine load affects all of them.
 */
import { hashSync } from "bcryptjs"
import { Effect } from "effect"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { type Figure, figure, median } from "../Figure.ts"

const kinds = ["unknown", "wrong", "pending", "blocked"] as const
type Kind = (typeof kinds)[number]

const password = "correct horse battery"
const base = "https://auth.example.org"

/** Figures: median over all causes, and ratio of the slowest to the fastest cause. */
export const signIns = async (
  port: number,
  database: FreshDatabase,
  note: (text: string) => void,
  quick: boolean
): Promise<ReadonlyArray<Figure>> => {
  const hashed = hashSync(password, 12)
  await Effect.runPromise(
    withClient(
      database.superuser,
      (sql) => sql`insert into edge_auth.users (email, password, name, status, role) values
    ('wrong@example.net', ${hashed}, 'W', 'active', 'user'), ('pending@example.net', ${hashed}, 'P', 'pending', 'user'), ('blocked@example.net', ${hashed}, 'B', 'blocked', 'user')`
    )
  )
  const page = await fetch(`http://127.0.0.1:${port}/login`)
  await page.text()
  const token = /__Host-edge_form=([^;]*)/.exec(page.headers.getSetCookie().join())![1]!
  let tries = 0
  const one = async (kind: Kind): Promise<number> => {
    // Each attempt has its own address, because the eleventh from one address would be refused at once.
    const address = `2001:db8:${(++tries).toString(16)}::1`
    const began = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/login`, {
      method: "POST",
      headers: {
        cookie: `__Host-edge_form=${token}`,
        origin: base,
        "content-type": "application/x-www-form-urlencoded",
        "x-forwarded-for": address
      },
      body: new URLSearchParams({
        form_token: token,
        email: `${kind}@example.net`,
        password: kind === "wrong" ? "wrong horse battery" : password
      }).toString()
    })
    await response.text()
    if (response.status !== 401) throw new Error(`${kind}: ${response.status}`)
    return performance.now() - began
  }
  const seen: Record<Kind, Array<number>> = { unknown: [], wrong: [], pending: [], blocked: [] }
  for (let round = -1; round < (quick ? 6 : 60); round++) {
    // Each round begins with a different cause, so that the order does not favour one.
    for (let turn = 0; turn < kinds.length; turn++) {
      const kind = kinds[(turn + round + kinds.length) % kinds.length]!
      const took = await one(kind)
      if (round >= 0) seen[kind].push(took)
    }
  }
  const medians = kinds.map((kind) => median(seen[kind]))
  note(`failed sign-ins: ${kinds.map((kind, index) => `${kind} ${medians[index]!.toFixed(1)} ms`).join(", ")}`)
  return [
    figure("failed sign-in, median", median(medians), "ms"),
    figure("failed sign-ins, slowest kind to the fastest", Math.max(...medians) / Math.min(...medians), "", {
      target: 1.05
    })
  ]
}
