/**
 * Counts offences of addresses against the switch and bans the addresses that break a rule. Each process counts its own
 * offences in memory and loses the counts when it ends. Bans are rows in the table `ban`. The table makes sure that
 * only one process announces a ban, and that a restart does not announce it again. Reporting an offence never blocks.
 */
import { settings } from "#core/config/Environment.ts"
import { callSettings } from "./CallSettings.ts"
import { Context, Duration, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { BanBook, maxAddresses } from "#core/bans/BanBook.ts"
import type { BanRule } from "#core/bans/BanDecision.ts"
import { offenderOf } from "#core/bans/Offender.ts"
import { BanAdded } from "#core/contracts/Security.ts"
import { Events } from "#core/events/Events.ts"
import * as Exemptions from "#core/gateway/Exemptions.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { source } from "../customers/Exports.ts"
import { registration, rules, scannerProgram, sipBruteForce, sipScanner } from "./BanRules.ts"

/**
 * How long a banned address is not counted under the same rule. Reason: bounds the work during a flood; after a ban is
 * lifted early, counting soon starts again.
 */
const askAgain = Duration.minutes(1)

/**
 * Longest queue of bans that wait to be written. Reason: covers a database outage; more addresses at once are a flood
 * of forged addresses.
 */
const maxDue = 1_000

/** Longest wait for a ban before the loop reports progress to its supervisor. */
const lookInterval = Duration.seconds(20)

/** How long expired bans stay in the table. Unit: days. */
const keptDays = 30

interface Due {
  readonly address: string
  readonly rule: BanRule
  /** Time of the offence that led to the ban. Unit: milliseconds since 1970. */
  readonly at: number
}

export class BanWatch extends Context.Service<
  BanWatch,
  {
    /** Counts one offence of `address` against a rule of `BanRules`. Ignores addresses that are never banned. */
    readonly offend: (rule: BanRule, address: string | undefined) => void
    /** Counts the offences that a CUSTOM event of the switch reports. */
    readonly hear: (headers: Readonly<Record<string, string>>) => void
  }
>()("signalbox/sip-config/BanWatch") {}

/** Layer of the ban watch. `exempt`: ranges (CIDR) that are never banned; loopback never is. */
export const layer = (exempt: ReadonlyArray<string>) =>
  Layer.effect(
    BanWatch,
    Effect.gen(function* () {
      const offender = offenderOf(exempt)
      const exemptions = yield* Exemptions.Exemptions
      const books = new Map(
        [...rules, scannerProgram].map((rule) => [rule, new BanBook({ ...rule, length: askAgain })])
      )
      // Last failure of each pair of address and user, in milliseconds since 1970; oldest first.
      const wanted = new Map<string, number>()
      const due: Array<Due> = []
      const some = Latch.makeUnsafe(false)

      const offend = (rule: BanRule, address: string | undefined): void => {
        const counted = offender(address)
        const at = Date.now()
        if (counted === undefined || exemptions.covers(address)) return
        if (books.get(rule)!.offend(counted, at) === undefined || due.length >= maxDue) return
        due.push({ address: counted, rule, at })
        some.openUnsafe()
      }

      yield* Supervisor.actor({
        name: "sip bans",
        run: Effect.gen(function* () {
          const actor = yield* Actor
          while (true) {
            yield* actor.progress
            some.closeUnsafe()
            for (const next of Array.from(due)) {
              const added = yield* transaction(add(next))
              due.shift()
              if (added) yield* Effect.logInfo(`${next.address} is banned: ${next.rule.name}`)
            }
            if (due.length === 0) yield* Effect.timeoutOption(some.await, lookInterval)
          }
        })
      })
      return BanWatch.of({
        offend,
        hear: (headers) => {
          const heard = registration(headers)
          if (heard === undefined) return
          if (heard.scanner) return offend(scannerProgram, heard.address)
          if (heard.failed === undefined) return
          offend(sipBruteForce, heard.address)
          const who = `${heard.address} ${heard.failed}`
          const now = Date.now()
          const before = wanted.get(who)
          if (before !== undefined && now - before < Duration.toMillis(sipScanner.window)) return
          wanted.delete(who)
          wanted.set(who, now)
          if (wanted.size > maxAddresses) wanted.delete(wanted.keys().next().value!)
          offend(sipScanner, heard.address)
        }
      })
    })
  ).pipe(Layer.provide(Exemptions.layer))

/** Writes a ban and announces it. Returns false when the address is already banned under this rule. */
const add = Effect.fnUntraced(function* ({ address, at, rule }: Due) {
  const sql = yield* SqlClient.SqlClient
  const until = new Date(at + Duration.toMillis(rule.length))
  const [made] = yield* sql<{ id: number }>`insert into sip_config.ban as standing (address, rule, banned_at, until)
    values (${address}, ${rule.name}, ${new Date(at)}, ${until})
    on conflict (address, rule) do update set id = default, banned_at = excluded.banned_at, until = excluded.until
      where standing.until <= excluded.banned_at
    returning id`
  if (made === undefined) return false
  yield* sql`delete from sip_config.ban where until < now() - make_interval(days => ${keptDays})`
  const hours = Duration.toHours(rule.length)
  const reason = `${rule.count} times within ${Duration.toMinutes(rule.window)} minutes; for ${hours} hours`
  yield* Effect.flatMap(Events, (events) => events.emit(BanAdded, source, { address, rule: rule.name, until, reason }))
  yield* Audit.write({
    tenantId: providerTenant,
    actor: "system",
    action: "sip_ban.added",
    entity: "sip_ban",
    id: String(made.id),
    address,
    detail: { rule: rule.name, hours }
  })
  return true
})

/** The watch with its settings: one instance for all features of the daemon. */
export const watchedBans = Layer.unwrap(
  Effect.map(settings({ sipBanExempt: callSettings.sipBanExempt }), ({ sipBanExempt }) => layer(sipBanExempt))
)
