/** `signalbox bank invoice`, `payment`, `customer-ibans` and `webhook-events` beside a running bank-fetcher. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect } from "vitest"
import { commandLine } from "#support/CommandLine.ts"
import { ensureBuilt, environmentOf } from "#support/Executable.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { untilWithin } from "#support/Within.ts"
import { emitCustomer, startLedger } from "../daemons/bank-fetcher/invoices/Ledger.ts"

const run = commandLine()

beforeAll(ensureBuilt, 60_000)

it.live(
  "an operator records, finds, undoes and imports what customers owe and pay",
  () =>
    Effect.gen(function* () {
      const suite = yield* startLedger()
      yield* emitCustomer(suite, { customer_id: 5, tenant_id: 7 })
      const dataDir = yield* temporaryDirectory()
      const bank = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => run(["bank", ...args], { ...environmentOf(dataDir), DATABASE_URL: suite.database.url }))
      const json = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const { code, stderr, stdout } = yield* bank(...args, "--json")
        return code === 0 ? JSON.parse(stdout) : yield* Effect.die(new Error(stderr))
      })
      const fields = ["--number", "RE-1", "--amount", "100.00", "--issued", "2030-01-01", "--customer", "5"]
      const invoice = yield* json("invoice", "create", ...fields)
      expect(invoice).toMatchObject({ tenant_id: 7, status: "open", due_on: "2030-01-15" })
      const wrong = yield* bank("invoice", "create", "--number", "RE-2", "--amount", "1,5", "--issued", "tomorrow")
      expect(wrong).toMatchObject({ code: 1, stdout: "" })
      expect(wrong.stderr).toMatch(/amount must be a decimal number.*issued_on must be a day/)

      const pay = ["payment", "create", "--amount", "30", "--paid", "2030-01-05", "--invoice", "RE-1", "--tenant", "7"]
      const payment = yield* json(...pay)
      expect(payment).toMatchObject({ state: "active", allocations: [{ invoice_number: "RE-1", amount: "30.00" }] })
      const shown = yield* bank("invoice", "show", "RE-1")
      expect(shown.stdout).toMatch(/^status +partial/m)
      expect(shown.stdout).toMatch(new RegExp(`^payment +2030-01-05 +30\\.00 +manual +active +${payment.id}$`, "m"))
      expect((yield* json("payment", "undo", payment.id)).state).toBe("undone")
      const discount = ["--discount", "2.00", "--discount-until", "2030-01-09"]
      const changed = yield* json("invoice", "update", "RE-1", "--due", "2030-03-01", ...discount, "--no-customer")
      expect(changed).toMatchObject({
        amount: "100.00",
        due_on: "2030-03-01",
        discount: { until: "2030-01-09", amount: "2.00" },
        customer_id: null
      })
      expect((yield* json("invoice", "update", "RE-1", "--discount", "")).discount).toBeNull()
      const half = yield* bank("invoice", "update", "RE-1", "--discount", "2.00")
      expect(half.stderr).toContain("discount.until")
      expect((yield* json("invoice", "cancel", "RE-1")).status).toBe("cancelled")
      expect((yield* bank("invoice", "delete", "RE-1")).stderr).toContain("Cancel it instead.")
      yield* json("invoice", "create", "--number", "RE-5", "--amount", "10", "--issued", "2030-01-01", ...discount)
      expect((yield* bank("invoice", "delete", "RE-5")).stdout).toBe("deleted RE-5\n")
      expect((yield* bank("invoice", "show", "RE-9")).stderr).toContain("The invoice RE-9 does not exist.")

      const file = join(dataDir, "invoices.csv")
      writeFileSync(file, "number;amount;issued_on\nRE-3;12,50;01.01.2030\nRE-4;x;01.01.2030\n")
      const { id } = yield* json("invoice", "import", file, "--tenant", "7")
      const state = suite.sql<{ state: string }>`select state from bank_fetcher.invoice_import where id = ${id}::uuid`
      yield* untilWithin(
        60,
        "the import has ended",
        Effect.map(state, ([row]) => row?.state === "finished")
      )
      const progress = yield* bank("invoice", "import-progress", id)
      expect(progress.stdout).toMatch(/^created +1$/m)
      expect(progress.stdout).toContain("line 3: amount: must be a decimal number")

      yield* json("customer-ibans", "add", "5", "DE02 1203 0000 0000 2020 51")
      expect((yield* bank("customer-ibans", "list")).stdout).toContain("DE02120300000000202051")
      yield* suite.call("POST", "/api/v1/payments/webhooks/card", { body: { id: "e1", type: "dispute.opened" } })
      const [event] = yield* json("webhook-events", "list")
      expect((yield* bank("webhook-events", "show", event.id)).stdout).toContain('"dispute.opened"')
      const [line] = yield* suite.sql<{ actor: string }>`select actor from core.audit
        where action = 'invoice.cancelled' and tenant_id = 7`
      expect(line?.actor).toBe("operator")
    }).pipe(Effect.scoped),
  180_000
)
