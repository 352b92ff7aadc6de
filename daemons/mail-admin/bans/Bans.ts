/**
 * Counts offences of addresses against the mail server and bans those that break a rule. Each process counts its own
 * offences in memory and loses the counts when it ends. Bans are in a table, so only one process announces a ban, also
 * across restarts. Recording an offence never blocks the caller.
 */
import { Context, Duration, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BanBook } from "#core/bans/BanBook.ts"
import type { BanRule } from "#core/bans/BanDecision.ts"
import { offenderOf } from "#core/bans/Offender.ts"
import { Exemptions } from "#core/gateway/Exemptions.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { mailBruteForce, mailSpamSender } from "./BanRules.ts"
import * as BanTable from "./BanTable.ts"

/**
 * How long a banned address is not counted. Reason: long enough to survive a flood, and an address whose ban was lifted
 * is counted again soon.
 */
export const askAgain = Duration.minutes(1)

/**
 * Maximum number of offences waiting to be counted. Reason: bridges a database outage of a minute, at 100 bytes each.
 */
export const maxWaiting = 10_000

/** Maximum number of offences processed with one statement. */
const batchSize = 500

/** Interval at which the idle loop reports progress to its supervisor. */
const lookInterval = Duration.seconds(20)

interface Offence {
  readonly rule: BanRule
  readonly address: string
  /** Address of the affected mailbox. */
  readonly login: string | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

export class Bans extends Context.Service<
  Bans,
  {
    /**
     * Records that `address` broke a rule once, now. `login`: the affected mailbox. Ignores addresses that are never
     * banned.
     */
    readonly offend: (rule: BanRule, address: string | undefined, login?: string) => void
  }
>()("signalbox/mail-admin/Bans") {}

/** `exempt`: ranges (CIDR) that are never banned, in addition to loopback. */
export const layer = (exempt: ReadonlyArray<string>) =>
  Layer.effect(
    Bans,
    Effect.gen(function* () {
      const offender = offenderOf(exempt)
      const exemptions = yield* Exemptions
      const books = new Map(
        [mailBruteForce, mailSpamSender].map((rule) => [rule.name, new BanBook({ ...rule, length: askAgain })])
      )
      const waiting: Array<Offence> = []
      const due: Array<Offence> = []
      const some = Latch.makeUnsafe(false)

      /**
       * Counts the waiting offences. When the database does not answer they stay queued, and are counted later with
       * their original time.
       */
      const count = Effect.gen(function* () {
        const batch = waiting.slice(0, batchSize)
        const suspended = yield* suspendedOf(batch)
        waiting.splice(0, batch.length)
        for (const offence of batch) {
          // A program that still signs in to a suspended mailbox is not guessing.
          if (offence.login !== undefined && suspended.has(offence.login)) continue
          if (books.get(offence.rule.name)!.offend(offence.address, offence.at) !== undefined) due.push(offence)
        }
      })

      yield* Supervisor.actor({
        name: "bans",
        run: Effect.gen(function* () {
          const actor = yield* Actor
          while (true) {
            yield* actor.progress
            some.closeUnsafe()
            while (waiting.length > 0) yield* count
            for (const next of Array.from(due)) {
              const added = yield* transaction(BanTable.add(next.address, next.rule, next.at))
              due.shift()
              if (added) yield* Effect.logInfo(`${next.address} is banned: ${next.rule.name}`)
            }
            yield* Effect.timeoutOption(some.await, lookInterval)
          }
        })
      })
      return Bans.of({
        offend: (rule, address, login) => {
          const counted = offender(address)
          if (counted === undefined || exemptions.covers(address) || waiting.length >= maxWaiting) return
          waiting.push({ rule, address: counted, login: login?.toLowerCase(), at: Date.now() })
          some.openUnsafe()
        }
      })
    })
  )

/** Addresses among the logins whose mailbox is suspended. */
const suspendedOf = Effect.fnUntraced(function* (offences: ReadonlyArray<Offence>) {
  const logins = new Set(offences.flatMap(({ login }) => (login === undefined ? [] : [login])))
  if (logins.size === 0) return new Set<string>()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    address: string
  }>`select address from mail_admin.mailbox where ${sql.in("address", Array.from(logins))} and state = 'suspended'`
  return new Set(rows.map(({ address }) => address))
})
