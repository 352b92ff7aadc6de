import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { OwnershipProof } from "../telephony/OwnershipProof.tsx"
import type { Domain } from "./Shapes.ts"

const t = words({
  en: {
    what: "Publish this TXT record in the DNS of the domain. Until it is seen there, the domain is checked, but its zone is not written.",
    sure: "Really accept? The tenant then holds the domain."
  },
  de: {
    what: "Veröffentlichen Sie diesen TXT-Eintrag im DNS der Domain. Solange er dort nicht zu sehen ist, wird die Domain geprüft, aber ihre Zone nicht geschrieben.",
    sure: "Wirklich annehmen? Die Domain gehört dann dem Mandanten."
  }
})

interface Props {
  readonly domain: Domain
  readonly challenge: NonNullable<Domain["ownership"]["challenge"]>
  readonly changed: () => void
}

/** Proof of the ownership of a domain. */
export const Proof = ({ challenge, changed, domain }: Props) => {
  const params = { id: domain.id }
  return (
    <OwnershipProof
      name={domain.display_name}
      challenge={challenge}
      what={t().what}
      sure={t().sure}
      manage="domains.manage"
      check={() => call("POST /api/v1/domains/:id/ownership/check", { params })}
      assert={() => call("POST /api/v1/domains/:id/assert", { params })}
      changed={changed}
    />
  )
}
