/**
 * Patterns of the name servers of DNS providers; the first match counts. A pattern matches the whole host name, lower
 * case, without a final dot. It must be unambiguous (no backtracking), because the names come from strangers. Sources:
 * help pages of Hetzner and IONOS; for the others, the names that they assign to customers.
 */

export interface DetectionRow {
  /** A type of ProviderTypes.ts, or our name for a provider without a type. */
  readonly provider: string
  readonly title: string
  readonly hosts: ReadonlyArray<RegExp>
}

export const detectionTable: ReadonlyArray<DetectionRow> = [
  {
    provider: "provider_a",
    title: "Hetzner",
    hosts: [
      /^(hydrogen|oxygen|helium)\.ns\.hetzner\.(com|de)$/,
      /^(ns1\.first-ns\.de|robotns[23]\.second-ns\.(de|com))$/,
      /^(ns1\.your-server\.de|ns\.second-ns\.com|ns3\.second-ns\.de)$/
    ]
  },
  // Before IONOS, whose pattern matches these names too; it is another product with another interface.
  { provider: "ionos-cloud", title: "IONOS Cloud DNS", hosts: [/^ns-ic\.ui-dns\.(com|org|de|biz)$/] },
  {
    provider: "provider_b",
    title: "IONOS",
    hosts: [/^ns\d{2,5}\.ui-dns\.(com|org|de|biz)$/, /\.1and1(-dns)?\.(com|org|de|biz|co\.uk|es|fr|us)$/]
  },
  { provider: "provider_c", title: "Cloudflare", hosts: [/\.ns\.cloudflare\.com$/, /\.foundationdns\.(com|net|org)$/] },
  { provider: "provider_d", title: "Amazon Route 53", hosts: [/^ns-\d+\.awsdns-\d{2}\.(com|net|org|co\.uk)$/] },
  { provider: "google", title: "Google Cloud DNS", hosts: [/^ns-cloud-[a-z]\d\.googledomains\.com$/] },
  { provider: "squarespace", title: "Squarespace", hosts: [/\.googledomains\.com$/, /\.squarespacedns\.com$/] },
  { provider: "azure", title: "Azure DNS", hosts: [/^ns\d-\d+\.azure-dns\.(com|net|org|info)$/] },
  { provider: "digitalocean", title: "DigitalOcean", hosts: [/^ns[123]\.digitalocean\.com$/] },
  { provider: "godaddy", title: "GoDaddy", hosts: [/\.domaincontrol\.com$/] },
  { provider: "ovh", title: "OVHcloud", hosts: [/^(dns|ns)\d+\.ovh\.(net|ca)$/, /\.anycast\.me$/] },
  { provider: "gandi", title: "Gandi", hosts: [/^ns-\d+-[abc]\.gandi\.net$/, /^[abc]\.dns\.gandi\.net$/] },
  { provider: "namecheap", title: "Namecheap", hosts: [/\.registrar-servers\.com$/] },
  { provider: "inwx", title: "INWX", hosts: [/^ns\d?\.inwx\.(de|eu|com|net)$/] },
  { provider: "netcup", title: "netcup", hosts: [/^(root|second|third)-dns\.netcup\.net$/] },
  { provider: "strato", title: "STRATO", hosts: [/^(docks|shades)\d+\.rzone\.de$/] },
  { provider: "desec", title: "deSEC", hosts: [/^ns[12]\.desec\.(io|org)$/] },
  { provider: "all-inkl", title: "ALL-INKL.COM", hosts: [/^ns\d+\.kasserver\.com$/] },
  { provider: "hostinger", title: "Hostinger", hosts: [/\.dns-parking\.com$/] },
  { provider: "dnsimple", title: "DNSimple", hosts: [/\.dnsimple(-edge)?\.(com|net|org|io)$/] },
  { provider: "porkbun", title: "Porkbun", hosts: [/\.ns\.porkbun\.com$/] },
  { provider: "vercel", title: "Vercel", hosts: [/\.vercel-dns\.com$/] }
]
