import { Effect } from "effect"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { languageFor } from "#core/words/InLanguage.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as Domains from "../domain-store/Domains.ts"
import { lastCheckOf } from "./LastCheck.ts"
import { desiredRecordsOf, desiredInputOf } from "../domain-store/DesiredRecords.ts"
import { questionsOf } from "./decide/Questions.ts"
import { instructions, judged } from "./instructions/Instructions.ts"
import { shownName } from "../domain-store/Names.ts"
import { Observer } from "./observe/Observer.ts"
import { Platform } from "../domain-store/Platform.ts"
import { Verification } from "./Verification.ts"
import { timedLook } from "./observe/TimedLook.ts"
import { viewOf } from "./words/Words.ts"
import { desiredSetsOf } from "../record-sets/DesiredSets.ts"
import { iso } from "../domain-store/Requests.ts"
import { domainView } from "../domain-store/DomainView.ts"
import { Sweep } from "./sweep/SweepShard.ts"
import { VerificationApi } from "./Api.ts"

export const checks = Handlers.group(
  VerificationApi,
  "checks",
  Effect.fn(function* (handlers) {
    const observer = yield* Observer
    const verification = yield* Verification
    const platform = yield* Platform
    const { dnsErrorAfter: errorAfter, dnsStrict: isStrict } = (yield* Sweep).settings
    const rulesNow = () => ({ ...platform.addresses, errorAfter, isStrict })

    /** The domain with its last check and its desired records. */
    const known = Effect.fnUntraced(function* (id: number) {
      const domain = yield* Domains.get(id)
      return {
        domain,
        looked: yield* lastCheckOf(id),
        wanted: yield* desiredRecordsOf(domain),
        sets: desiredSetsOf(yield* desiredInputOf(domain, platform.addresses, [])).sets
      }
    })

    return handlers.handleAll({
      instructions: Effect.fnUntraced(function* ({ params: { id }, query: { lang } }) {
        const language = yield* languageFor(lang)
        const found = yield* orUnavailable(inScope(known(id)))
        const { mail, platform, user } = found.wanted
        const observation = yield* timedLook(
          observer,
          found.domain.name,
          questionsOf([...platform, ...user, ...mail]),
          "quick"
        )
        return instructions({ ...found, observation }, rulesNow(), language)
      }),
      check: Effect.fnUntraced(function* ({ params: { id }, query: { lang } }) {
        const language = yield* languageFor(lang)
        const { domain, looked } = yield* orUnavailable(
          inScope(Effect.all({ domain: Domains.get(id), looked: lastCheckOf(id) }))
        )
        return {
          domain_id: domain.id,
          domain: domain.name,
          dns_status: domain.dns_status,
          status: domain.status,
          mismatches: looked.mismatches,
          check_every: looked.check_every,
          findings: looked.findings.map((finding) => viewOf(finding, shownName(domain.name).display_name, language)),
          observation: looked.observation,
          observed_at: iso(domain.observed_at)
        }
      }),
      verify: Effect.fnUntraced(function* ({ params: { id }, query: { lang } }) {
        const language = yield* languageFor(lang)
        // Before DNS is asked, so that an unknown domain answers 404 at once.
        yield* orUnavailable(inScope(Domains.get(id)))
        const observation = yield* orUnavailable(verification.verify(id, nameOf(yield* Caller)))
        const found = yield* orUnavailable(inScope(known(id)))
        if (observation === undefined) return yield* Domains.noSuchDomain
        const { findings, required_records, verification_status } = judged(
          { ...found, observation },
          rulesNow(),
          language
        )
        return {
          ...domainView(platform.missing)(found.domain),
          verified: found.domain.dns_status === "verified",
          required_records,
          verification_status,
          findings,
          observation
        }
      })
    })
  })
)
