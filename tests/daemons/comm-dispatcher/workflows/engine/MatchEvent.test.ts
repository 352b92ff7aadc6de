import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Event } from "#core/events/Events.ts"
import type { EventWorkflow } from "#daemons/comm-dispatcher/workflows/engine/EventWorkflow.ts"
import { beginnings } from "#daemons/comm-dispatcher/workflows/engine/MatchEvent.ts"
import { eventWorkflows } from "#daemons/comm-dispatcher/workflows/definitions/Registry.ts"

const event = (type: string, data: unknown, tenantId: number | null = 7): Event => ({
  id: 12n,
  type,
  source: "test",
  tenantId,
  userId: null,
  data,
  at: new Date(0)
})

type Numbered = EventWorkflow<{ readonly n: number }>

const workflow = (name: string, on: string, more: Partial<Numbered> = {}): Numbered => ({
  name,
  title: name,
  on,
  data: Schema.Struct({ n: Schema.Int }),
  subject: ({ data }) => `n is ${data.n}`,
  steps: [{ name: "one", run: () => Effect.succeed({}) }],
  ...more
})

const names = (workflows: ReadonlyArray<EventWorkflow>, one: Event) =>
  beginnings(workflows, one).map((run) => run.workflow.name)

it("an event begins the workflows whose pattern and condition it fits", () => {
  const all = [
    workflow("exact", "order.made"),
    workflow("prefix", "order.*"),
    workflow("every", "*"),
    workflow("other", "order.made.twice"),
    workflow("large", "order.*", { when: ({ data }) => data.n > 5 })
  ]
  assert.deepStrictEqual(names(all, event("order.made", { n: 1 })), ["exact", "prefix", "every"])
  assert.deepStrictEqual(names(all, event("order.paid", { n: 6 })), ["prefix", "every", "large"])
  assert.deepStrictEqual(names(all, event("orders.made", { n: 6 })), ["every"])
})

it("the same event begins the same run, each workflow its own, in the event's tenant or the provider's", () => {
  const all = [workflow("a", "*"), workflow("b", "*")]
  const [a, b] = beginnings(all, event("order.made", { n: 1 }))
  assert.deepStrictEqual(beginnings(all, event("order.made", { n: 1 })), [a!, b!])
  assert.notStrictEqual(a!.id, b!.id)
  assert.deepInclude(a, { triggerKey: "workflow:a:12", tenantId: 7, subject: "n is 1", failure: undefined })
  assert.strictEqual(beginnings(all, event("order.made", { n: 1 }, null))[0]!.tenantId, 1)
})

it("what a workflow cannot read, or breaks on, is a run that failed and says why", () => {
  const broken = workflow("broken", "*", {
    when: () => {
      throw new Error("no such thing")
    }
  })
  assert.match(
    beginnings([workflow("a", "*")], event("x", { n: "one" }))[0]!.failure!,
    /does not match the contract: .*n/s
  )
  assert.match(beginnings([workflow("a", "*")], event("x", null))[0]!.failure!, /does not match the contract/)
  assert.match(beginnings([broken], event("x", { n: 1 }))[0]!.failure!, /failed on this event: no such thing/)
})

it("the registry's names are of one kind, each there once, and none is the alarms' own", () => {
  const known = eventWorkflows.map(({ name }) => name)
  assert.strictEqual(new Set(known).size, known.length)
  for (const { name, steps } of eventWorkflows) {
    assert.match(name, /^[a-z][a-z0-9-]{1,49}$/)
    assert.notStrictEqual(name, "alarm")
    assert.strictEqual(new Set(steps.map((step) => step.name)).size, steps.length)
  }
})
