import { words } from "../../../lib/Language.ts"
import type { Loaded } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Empty } from "../../../parts/Empty.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { At } from "../../../parts/When.tsx"
import { type Coverage, edgeWords, hostTone } from "./Words.ts"

const t = words({
  en: {
    title: "Hosts",
    intro: "A host is protected when its proxy asks edge-auth about each request and a route below is turned on.",
    none: "No hosts yet",
    about:
      "Hosts appear here when a proxy asks about them, when they have a route, or when the proxy's files name them " +
      "(SIGNALBOX_EDGE_PROXY_CONFIG).",
    asked: "Last request from a proxy",
    never: "none yet",
    unchecked: "The proxy does not ask at:",
    unread: "Parts of the proxy's files that could not be read; their hosts are missing here:"
  },
  de: {
    title: "Hosts",
    intro:
      "Ein Host ist geschützt, wenn sein Proxy edge-auth zu jeder Anfrage befragt und unten eine Route " +
      "eingeschaltet ist.",
    none: "Noch keine Hosts",
    about:
      "Hosts erscheinen hier, sobald ein Proxy nach ihnen fragt, sobald sie eine Route haben, oder wenn die Dateien " +
      "des Proxys sie nennen (SIGNALBOX_EDGE_PROXY_CONFIG).",
    asked: "Letzte Anfrage eines Proxys",
    never: "noch keine",
    unchecked: "Der Proxy fragt nicht bei:",
    unread: "Teile der Proxy-Dateien, die sich nicht lesen ließen; ihre Hosts fehlen hier:"
  }
})

/** Which hosts are protected, and which are open. */
export const Hosts = ({ of }: { readonly of: Loaded<Coverage> }) => (
  <section class="card" aria-labelledby="edge-hosts">
    <h2 id="edge-hosts">{t().title}</h2>
    <p class="soft">{t().intro}</p>
    <Loading of={of}>
      {({ hosts, unread }) => (
        <>
          {hosts.length === 0 ? (
            <Empty title={t().none} text={t().about} />
          ) : (
            <div class="scroll" role="region" aria-labelledby="edge-hosts" tabIndex={0}>
              <table class="ops-table">
                <thead>
                  <tr>
                    <th scope="col">{edgeWords().host}</th>
                    <th scope="col">{edgeWords().state}</th>
                    <th scope="col">{t().asked}</th>
                  </tr>
                </thead>
                <tbody>
                  {hosts.map(({ host, last_asked, state, unchecked }) => (
                    <tr key={host}>
                      <th scope="row">{host}</th>
                      <td>
                        <Badge tone={hostTone(state)}>{edgeWords()[state]}</Badge>
                        {unchecked.length === 0 ? null : (
                          <small>
                            {t().unchecked} {unchecked.join(", ")}
                          </small>
                        )}
                      </td>
                      <td>{last_asked === null ? t().never : <At at={last_asked} />}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {unread.length === 0 ? null : (
            <div class="ops-left-out">
              {t().unread}
              <ul>
                {unread.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </Loading>
  </section>
)
