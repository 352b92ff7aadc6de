/**
 * Types of DNS providers and the credentials that each type needs. Pure. Source of the types: interface document 2
 * §2.1.
 */

export const providerTypes = ["provider_a", "provider_b", "provider_c", "provider_d", "provider_e", "manual"] as const
export type ProviderType = (typeof providerTypes)[number]

/** One field of `credentials`. */
export interface CredentialField {
  readonly name: string
  readonly required: boolean
  /** Whether the input should be hidden while typing. */
  readonly secret: boolean
  /** Where a user finds the value, as a sentence. */
  readonly doc: string
}

export interface TypeDescription {
  /** Name of the provider. */
  readonly title: string
  /** Whether we can manage zones at this provider. */
  readonly hasAdapter: boolean
  readonly credentials: ReadonlyArray<CredentialField>
}

const field = (name: string, secret: boolean, doc: string, required = true): CredentialField => ({
  name,
  required,
  secret,
  doc
})

const byHand = (title: string): TypeDescription => ({ title, hasAdapter: false, credentials: [] })

export const types: Readonly<Record<ProviderType, TypeDescription>> = {
  provider_a: {
    title: "Hetzner",
    hasAdapter: true,
    credentials: [
      field(
        "api_token",
        true,
        "A token of the Cloud project that has the zones, with read and write permission: Hetzner Console, " +
          "project, Security, API tokens. Tokens of the former DNS Console no longer work."
      )
    ]
  },
  provider_b: {
    title: "IONOS",
    hasAdapter: true,
    credentials: [
      field("prefix", false, "The public prefix of an API key: developer.hosting.ionos.com, Manage keys."),
      field("secret", true, "The secret of the same key. IONOS shows it only when the key is created.")
    ]
  },
  provider_c: byHand("Cloudflare"),
  provider_d: byHand("Amazon Route 53"),
  provider_e: {
    title: "PowerDNS",
    hasAdapter: true,
    credentials: [
      field(
        "url",
        false,
        "Address of the server's HTTP interface, without /api/v1, such as https://dns.example.org. The " +
          "key is sent there in every request: use https outside your own network."
      ),
      field("api_key", true, "The `api-key` of the server."),
      field("server_id", false, "Name of the server within the interface. Default: localhost.", false)
    ]
  },
  manual: byHand("By hand")
}

export const isProviderType = (text: string): text is ProviderType => providerTypes.some((type) => type === text)

/** Whether we can manage zones at a provider of this type. */
export const hasAdapter = (type: string): boolean => isProviderType(type) && types[type].hasAdapter
