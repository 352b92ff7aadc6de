/**
 * Counts what addresses do to the mail server and bans those that break a rule. Counting is in memory, each process its
 * own part, and forgotten when it ends; that an address is banned is in the table, so of several processes, or of one
 * before and after a restart, one tells of it. Whoever notes an offence waits for nothing.
 */
import { Context, Duration, Effect, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BanBook } from "#core/bans/BanBook.ts"
import type { BanRule } from "#core/bans/BanDecision.ts"
import { offenderOf } from "#core/bans/Offender.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { mailBruteForce, mailSpamSender } from "./BanRules.ts"
import * as BanTable from "./BanTable.ts"

/**
 * How long an address that was banned is not counted. Reason: long enough against a flood, and one whose ban was lifted
 * is soon counted again.
 */
export const askAgain = Duration.minutes(1)

/** Offences that may wait to be counted. Reason: a database that is away for a minute; 100 bytes each. */
export const maxWaiting = 10_000

/** Offences that are looked at in one statement. */
const batchSize = 500

/** How long the loop waits before it says that it is well. */
const lookInterval = Duration.seconds(20)

interface Offence {
  readonly rule: BanRule
  readonly address: string
  /** The mailbox that it was about. */
  readonly login: string | undefined
  /** Milliseconds since 1970. */
  readonly at: number
}

export class Bans extends Context.Service<
  Bans,
  {
    /**
     * Notes that `address` broke a rule once, just now; `login`: the mailbox it was about. Does nothing for addresses
     * that are never banned.
     */
    readonly offend: (rule: BanRule, address: string | undefined, login?: string) => void
  }
>()("signalbox/mail-admin/Bans") {}

/** `exempt`: ranges (CIDR) that are never banned, beside loopback. */
export const layer = (exempt: ReadonlyArray<string>) =>
  Layer.effect(
    Bans,
    Effect.gen(function* () {
      const offender = offenderOf(exempt)
      const books = new Map(
        [mailBruteForce, mailSpamSender].map((rule) => [rule.name, new BanBook({ ...rule, length: askAgain })])
      )
      const waiting: Array<Offence> = []
      const due: Array<Offence> = []
      const some = Latch.makeUnsafe(false)

      /** Counts what waits. What cannot be looked at stays and is counted later, by its own time. */
      const count = Effect.gen(function* () {
        const batch = waiting.slice(0, batchSize)
        const suspended = yield* suspendedOf(batch)
        waiting.splice(0, batch.length)
        for (const offence of batch) {
          // A program that goes on signing in to a mailbox that we closed guesses nothing.
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
          if (counted === undefined || waiting.length >= maxWaiting) return
          waiting.push({ rule, address: counted, login: login?.toLowerCase(), at: Date.now() })
          some.openUnsafe()
        }
      })
    })
  )

/** The mailboxes among those that are suspended. */
const suspendedOf = Effect.fnUntraced(function* (offences: ReadonlyArray<Offence>) {
  const logins = new Set(offences.flatMap(({ login }) => (login === undefined ? [] : [login])))
  if (logins.size === 0) return new Set<string>()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    address: string
  }>`select address from mail_admin.mailbox where ${sql.in("address", Array.from(logins))} and state = 'suspended'`
  return new Set(rows.map(({ address }) => address))
})
