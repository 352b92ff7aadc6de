/** Runs changes of mailboxes, domains and aliases for the commands of this machine. */
import { Effect, Layer } from "effect"
import { Caller, operatorCaller } from "#core/auth/Caller.ts"
import { inWords } from "#core/cli/Refusals.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import { SessionCuts } from "../session-cuts/Exports.ts"
import { announcing, inStorage } from "./MailDomainOperator.ts"

/** Events, and the jobs that end sessions. A running daemon carries them out. */
const services = SessionCuts.sender.pipe(
  Layer.provide(Jobs.layer([SessionCuts.CutSessions.queue])),
  Layer.provideMerge(announcing)
)

/** Runs `use` in one transaction as the operator of this machine. Refusals become sentences. */
export const changing = <A, E extends { readonly _tag: string }, R>(use: Effect.Effect<A, E, R>) =>
  inStorage(inWords(use).pipe(Effect.provideService(Caller, operatorCaller), Effect.provide(services)))
