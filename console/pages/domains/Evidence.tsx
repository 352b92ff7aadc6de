import { duration } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import type { Asked, Observation, Said } from "./Shapes.ts"

const t = words({
  en: {
    delegation: "Delegation",
    delegated: "The zone above names these name servers.",
    absent: "The zone above names no name servers.",
    unseen: "Could not be determined.",
    zone: "Zone",
    dnssec: "DNSSEC",
    signed: "signed",
    unsigned: "not signed",
    bogus: "signatures do not hold",
    unknown: "not known",
    question: "Question",
    published: "Published",
    visible: "Visible",
    who: "Who",
    said: "Answer",
    caption: "Answers of the servers",
    authority: "name server",
    resolver: "resolver",
    via: (chain: string) => `by way of ${chain}`,
    kept: (time: string) => `cached for ${time}`,
    answer: "answer",
    nodata: "no such record",
    nxdomain: "no such name",
    servfail: "server failure",
    refused: "refused",
    lame: "not its zone",
    cname_loop: "CNAME loop",
    timeout: "no answer",
    unreachable: "not reachable",
    forbidden: "private address, not asked",
    malformed: "not understood"
  },
  de: {
    delegation: "Delegation",
    delegated: "Die Zone darüber nennt diese Nameserver.",
    absent: "Die Zone darüber nennt keine Nameserver.",
    unseen: "Ließ sich nicht ermitteln.",
    zone: "Zone",
    dnssec: "DNSSEC",
    signed: "signiert",
    unsigned: "nicht signiert",
    bogus: "Signaturen stimmen nicht",
    unknown: "unbekannt",
    question: "Frage",
    published: "Veröffentlicht",
    visible: "Sichtbar",
    who: "Wer",
    said: "Antwort",
    caption: "Antworten der Server",
    authority: "Nameserver",
    resolver: "Resolver",
    via: (chain: string) => `über ${chain}`,
    kept: (time: string) => `im Cache für ${time}`,
    answer: "Antwort",
    nodata: "kein solcher Eintrag",
    nxdomain: "kein solcher Name",
    servfail: "Serverfehler",
    refused: "verweigert",
    lame: "nicht seine Zone",
    cname_loop: "CNAME-Schleife",
    timeout: "keine Antwort",
    unreachable: "nicht erreichbar",
    forbidden: "private Adresse, nicht gefragt",
    malformed: "nicht verstanden"
  }
})

const tones: Readonly<Record<Said["outcome"], Tone>> = {
  answer: "success",
  nodata: "warning",
  nxdomain: "warning",
  servfail: "error",
  refused: "error",
  lame: "error",
  cname_loop: "error",
  timeout: "error",
  unreachable: "error",
  forbidden: "error",
  malformed: "error"
}

/**
 * Answers of each DNS server to each query. The domain's own name servers show what is published; resolvers show what
 * the world sees.
 */
export const Evidence = ({ of }: { readonly of: Observation }) => (
  <>
    <dl class="facts domain-facts">
      <dt>{t().delegation}</dt>
      <dd>
        {of.delegation.outcome === "delegated"
          ? t().delegated
          : of.delegation.outcome === "absent"
            ? t().absent
            : t().unseen}
        {of.delegation.servers.length === 0 ? null : (
          <ul class="servers">
            {of.delegation.servers.map(({ address, name }, at) => (
              <li key={at}>
                <code>{name}</code> {address}
              </li>
            ))}
          </ul>
        )}
      </dd>
      {of.delegation.zone === null ? null : (
        <>
          <dt>{t().zone}</dt>
          <dd>
            <code>{of.delegation.zone}</code>
          </dd>
        </>
      )}
      <dt>{t().dnssec}</dt>
      <dd>{t()[of.dnssec]}</dd>
    </dl>
    <div class="scroll" role="region" aria-label={t().caption} tabIndex={0}>
      <table>
        <caption class="sr">{t().caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t().question}</th>
            <th scope="col">{t().who}</th>
            <th scope="col">{t().said}</th>
          </tr>
        </thead>
        <tbody>
          {of.asked.map((asked) => (
            <Answers key={`${asked.type} ${asked.name}`} of={asked} />
          ))}
        </tbody>
      </table>
    </div>
  </>
)

const Answers = ({ of: { authorities, name, resolvers, type } }: { readonly of: Asked }) => {
  const rows = [
    ...authorities.map(({ said, server }) => ({ who: server.name, where: server.address, kind: t().authority, said })),
    ...resolvers.map(({ said, server }) => ({ who: server, where: null, kind: t().resolver, said }))
  ]
  return (
    <>
      {rows.map(({ kind, said, where, who }, at) => (
        <tr key={at}>
          {at === 0 ? (
            <th scope="rowgroup" rowSpan={rows.length}>
              <code>
                {type} {name}
              </code>
            </th>
          ) : null}
          <td>
            <code>{who}</code>
            <br />
            <small class="soft">
              {kind}
              {where === null ? null : ` ${where}`}
            </small>
          </td>
          <td>
            {said.outcome === "answer" ? (
              <code class="values">{said.values.join("\n")}</code>
            ) : (
              <Badge tone={tones[said.outcome]}>{t()[said.outcome]}</Badge>
            )}
            {said.chain.length === 0 ? null : (
              <>
                <br />
                <small>{t().via(said.chain.join(" → "))}</small>
              </>
            )}
            {said.ttl === null ? null : (
              <>
                <br />
                <small class="soft">{t().kept(duration(said.ttl * 1000))}</small>
              </>
            )}
          </td>
        </tr>
      ))}
    </>
  )
}
