/** Hints on common mistakes at each provider. Pure. Source: help pages of the providers. */
import type { Language } from "#core/words/Language.ts"

const hints: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  provider_a: {
    en:
      "In the Hetzner Console the zone is in a project, under DNS. Names are written without the " +
      "domain; write @ for the domain itself.",
    de:
      "In der Hetzner Console liegt die Zone in einem Projekt, unter DNS. Namen schreibt man ohne die " +
      "Domain; für die Domain selbst @."
  },
  provider_b: {
    en:
      "At IONOS the records are under Domains & SSL, the domain, DNS. Leave out the domain in names; write @ for " +
      "the domain itself.",
    de:
      "Bei IONOS stehen die Einträge unter Domains & SSL, die Domain, DNS. Lassen Sie die Domain in Namen weg; für " +
      "die Domain selbst schreiben Sie @."
  },
  provider_c: {
    en:
      "At Cloudflare set the proxy status of A and AAAA to DNS only. With the orange cloud, DNS returns Cloudflare's " +
      "addresses, and the check does not find our address.",
    de:
      "Stellen Sie bei Cloudflare den Proxy-Status von A und AAAA auf Nur DNS. Mit der orangen Wolke liefert das " +
      "DNS die Adressen von Cloudflare, und die Prüfung findet unsere Adresse nicht."
  },
  provider_d: {
    en:
      "At Amazon Route 53 the zone is under Hosted zones. Leave the record name empty for the domain itself, " +
      "and put TXT values in double quotes as in the zone file.",
    de:
      "Bei Amazon Route 53 liegt die Zone unter Hosted zones. Lassen Sie den Namen für die Domain selbst leer, und " +
      "setzen Sie TXT-Werte in Anführungszeichen wie in der Zonendatei."
  }
}

/** Undefined: no hint for this provider. */
export const hintAt = (provider: string | null, language: Language): string | undefined =>
  provider === null ? undefined : hints[provider]?.[language]
