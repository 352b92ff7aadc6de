import { moment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import type { KeyStatus } from "../Shapes.ts"
import { Hash } from "./Hash.tsx"

const t = words({
  en: {
    title: "Keys",
    own: "Own keys",
    bank: "Keys of the bank",
    none: "No keys yet.",
    noneBank: "No key of the bank is accepted.",
    bits: (version: string, bits: number) => `${version}, ${bits} bits`,
    by: (at: string, who: string | null) => (who === null ? `accepted ${at}` : `accepted ${at} by ${who}`),
    hash: (version: string) => `Hash of ${version}`,
    certificate: (version: string) => `Hash of the certificate of ${version}`
  },
  de: {
    title: "Schlüssel",
    own: "Eigene Schlüssel",
    bank: "Schlüssel der Bank",
    none: "Noch keine Schlüssel.",
    noneBank: "Kein Schlüssel der Bank ist angenommen.",
    bits: (version: string, bits: number) => `${version}, ${bits} Bit`,
    by: (at: string, who: string | null) => (who === null ? `angenommen ${at}` : `angenommen ${at} von ${who}`),
    hash: (version: string) => `Hashwert von ${version}`,
    certificate: (version: string) => `Hashwert des Zertifikats von ${version}`
  }
})

/** Hashes of all keys in use. */
export const BankKeys = ({ status: { bank_keys, ebics_version, own_keys } }: { readonly status: KeyStatus }) => (
  <details class="card">
    <summary>
      <h2>{t().title}</h2>
    </summary>
    <h3>{t().own}</h3>
    {own_keys.length === 0 ? (
      <p class="soft">{t().none}</p>
    ) : (
      own_keys.map(({ bits, certificate_hash, hash, version }) => (
        <div key={version} class="bank-key">
          <p>{t().bits(version, bits)}</p>
          <Hash label={t().hash(version)} lines={hash} />
          {ebics_version === "H005" ? (
            <>
              <p>{t().certificate(version)}</p>
              <Hash label={t().certificate(version)} lines={certificate_hash} />
            </>
          ) : null}
        </div>
      ))
    )}
    <h3>{t().bank}</h3>
    {bank_keys.accepted === null ? (
      <p class="soft">{t().noneBank}</p>
    ) : (
      [bank_keys.accepted.authentication, bank_keys.accepted.encryption].map((key) => (
        <div key={key.version} class="bank-key">
          <p>
            {key.version}
            {key.accepted_at === null ? "" : `, ${t().by(moment(key.accepted_at), key.accepted_by)}`}
          </p>
          <Hash label={t().hash(key.version)} lines={key.hash} />
        </div>
      ))
    )}
  </details>
)
