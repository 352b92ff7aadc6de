/** Makes plans: reads the zone with no transaction open, then compares and stores the plan in one transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { sameContents } from "../record-sets/CanonicalContent.ts"
import { setsFingerprint } from "./Fingerprint.ts"
import { planOf, type Plan } from "./Plan.ts"
import { type Author, held, note, noneUnderWay, schedule, system, unschedule } from "./PlanState.ts"
import * as PlanStore from "./PlanStore.ts"
import { publish } from "./PlanNotices.ts"
import { storeOwned, ownedInZone } from "./Ownership.ts"
import { type PlatformAddresses, desiredSetsOf } from "../record-sets/DesiredSets.ts"
import { ZoneAccess } from "./ZoneAccess.ts"
import { desiredInputOf } from "../domain-store/DesiredRecords.ts"
import * as ZoneChange from "./ZoneChange.ts"

export interface PlanRequest extends Author {
  readonly tenantId: number
  readonly domainId: number
  /** English text for the list of plans. */
  readonly reason: string
  /** Ids of user records to delete and to remove from the zone. */
  readonly remove: ReadonlyArray<number>
}

/**
 * Reads the zone and stores a plan, even when nothing has to change. Returns an equal open plan instead of a new one;
 * other open plans become stale. Fails with 409 while a plan is being applied.
 */
export const make = Effect.fnUntraced(function* (request: PlanRequest, platform: PlatformAddresses) {
  const read = yield* Effect.flatMap(ZoneAccess, (access) =>
    Effect.flatMap(access.open(request.tenantId, request.domainId), (zone) => zone.read)
  )
  return yield* tenantTransaction(
    request.tenantId,
    Effect.map(noted(request, platform, { ...read, isStored: false }, "requested"), (made) => made!)
  )
})

/**
 * Makes a plan in the background for all changes that have none yet. Stores none when nothing has to change. The plan
 * applies itself after `settle` milliseconds if it touches no foreign records; otherwise it waits, and the admins are
 * notified. A change within that time becomes part of the same plan.
 */
export const makeAutomatic = Effect.fnUntraced(function* (
  request: Omit<PlanRequest, "actor" | "remove">,
  platform: PlatformAddresses,
  { autoApply, settle }: { readonly autoApply: boolean; readonly settle: number }
) {
  const { domainId, tenantId } = request
  const known = yield* tenantTransaction(
    tenantId,
    Effect.all({ change: ZoneChange.get(domainId), reading: ZoneChange.recentReading(domainId, settle) })
  )
  if (!ZoneChange.isPending(known.change)) return
  const read: Reading =
    known.reading === undefined
      ? {
          ...(yield* Effect.flatMap(ZoneAccess, (access) =>
            Effect.flatMap(access.open(tenantId, domainId), (zone) => zone.read)
          )),
          isStored: false
        }
      : { ...known.reading, isStored: true }
  return yield* tenantTransaction(
    tenantId,
    Effect.gen(function* () {
      yield* held(domainId)
      const change = yield* ZoneChange.held(domainId)
      const plan = yield* noted({ ...request, ...system, remove: [] }, platform, read, "automatic")
      yield* ZoneChange.planned(domainId, change?.requested ?? 0, plan?.id ?? null)
      if (plan === undefined) return
      if (autoApply && plan.state === "planned" && !plan.warnings.some(({ foreign }) => foreign))
        return yield* schedule(plan, settle)
      yield* unschedule(plan)
      yield* publish("waiting", {
        planId: plan.id,
        domainId,
        stepsTotal: plan.steps.length,
        stepsDone: 0,
        problem: plan.warnings.map(({ detail }) => detail).join(" ") || null
      })
    })
  )
})

/** `isStored`: whether it comes from the table of readings. */
type Reading = Effect.Success<Effect.Success<ReturnType<ZoneAccess["Service"]["open"]>>["read"]> & {
  readonly isStored: boolean
}

const noted = Effect.fnUntraced(function* (
  { actor, address, domainId, reason, remove }: PlanRequest,
  platform: PlatformAddresses,
  { all, isStored, sets }: Reading,
  kind: "requested" | "automatic"
) {
  const sql = yield* SqlClient.SqlClient
  yield* held(domainId)
  const [domain] = yield* sql<{
    id: number
    tenant_id: number
    name: string
  }>`select id, tenant_id, name from dns_verifier.domain where id = ${domainId}`
  if (domain === undefined) return yield* new NotFound({ detail: "The domain does not exist." })
  yield* noneUnderWay(domainId)
  const removes = (yield* sql<{ id: number }>`select id from dns_verifier.record
    where domain_id = ${domainId} and source = 'user' and id = any(${[...remove]}::int[]) order by id`).map(
    ({ id }) => id
  )
  const wanted = desiredSetsOf(yield* desiredInputOf(domain, platform, removes))
  const found = planOf({ wanted: wanted.sets, zone: sets, owned: yield* ownedInZone(domain, platform), zoneSets: all })
  const plan: Plan = { ...found, warnings: [...found.warnings, ...wanted.warnings] }
  if (!isStored) yield* PlanStore.storeReading(domain, sets)
  for (const place of plan.lost) yield* storeOwned(domain, place, [], null)
  const fingerprint = setsFingerprint(sets, plan.steps)
  const open = yield* PlanStore.open(domainId)
  const isNeedless = plan.steps.length === 0 && kind === "automatic"
  const same = isNeedless
    ? undefined
    : open.find((other) => other.fingerprint === fingerprint && says(other, plan, removes))
  // Nobody has approved a scheduled plan, so its content may change. A plan on request leaves it to apply itself.
  const scheduled = open.find(({ apply_after }) => apply_after !== null)
  const replaced = kind === "automatic" && same === undefined && !isNeedless ? scheduled : undefined
  for (const other of open) {
    if (other !== same && other !== replaced && (other !== scheduled || kind === "automatic"))
      yield* sql`update dns_verifier.plan set state = 'stale', problem = 'A newer plan was made.', ended_at = now()
        where id = ${other.id}`
  }
  if (same !== undefined || isNeedless) return same
  if (replaced !== undefined) {
    const changed = yield* PlanStore.replace(domain, replaced.id, plan, { fingerprint, zoneSets: all })
    yield* note(changed, "changed", { actor, address }, { reason, steps: changed.steps.length, state: changed.state })
    return changed
  }
  const made = yield* PlanStore.insert(domain, plan, { reason, actor, fingerprint, zoneSets: all, removes })
  yield* note(made, "created", { actor, address }, { reason, steps: made.steps.length, state: made.state })
  return made
})

/** Whether the stored plan equals the new plan. */
const says = (old: PlanStore.StoredPlan, plan: Plan, removes: ReadonlyArray<number>): boolean => {
  const contents = (type: string, a: ReadonlyArray<string> | null, b: ReadonlyArray<string> | null) =>
    (a === null) === (b === null) && sameContents(type, a ?? [], b ?? [])
  return (
    (old.state === "stopped") === plan.stopped &&
    old.removes.join() === removes.join() &&
    old.warnings.map(({ detail }) => detail).join("\n") === plan.warnings.map(({ detail }) => detail).join("\n") &&
    old.steps.length === plan.steps.length &&
    old.steps.every((step, at) => {
      const other = plan.steps[at]!
      return (
        step.type === other.type &&
        step.name === other.name &&
        step.ttl === other.ttl &&
        contents(step.type, step.before, other.before) &&
        contents(step.type, step.after, other.after)
      )
    })
  )
}
