/** Findings in German. */
import type { Dictionary } from "./Dictionary.ts"

const ask = "Bitte wenden Sie sich damit an die Firma, die Ihr DNS betreibt."
const askIfLasting = "Hält es an, wenden Sie sich damit bitte an die Firma, die Ihr DNS betreibt."

export const german: Dictionary = {
  platform_unset: ({ name }) => ({
    says: `Unsere eigene Adresse ist noch nicht eingerichtet, deshalb lässt sich ${name} nicht prüfen.`,
    todo: "Bei Ihrem DNS-Anbieter ist nichts zu tun, bis wir Ihnen die Einträge anzeigen."
  }),
  points_here: ({ name }) => ({ says: `${name} führt zu uns.`, todo: "" }),
  points_elsewhere: ({ list, name }) => ({
    says: `${name} führt zu einem anderen Server: ${list("found")}.`,
    todo:
      "Ersetzen Sie bei Ihrem DNS-Anbieter den A-Eintrag durch die Adresse, die wir Ihnen anzeigen. " +
      "Soll der Name woandershin führen, ist nichts zu tun."
  }),
  extra_addresses: ({ list, name }) => ({
    says: `${name} führt zu uns und zugleich zu ${list("found")}: Ein Teil Ihrer Besucher landet dort.`,
    todo: "Löschen Sie bei Ihrem DNS-Anbieter die anderen A-Einträge, damit unserer der einzige ist."
  }),
  no_address: ({ name }) => ({
    says: `${name} gibt es, aber ohne A-Eintrag: Besucher finden keinen Server.`,
    todo: "Legen Sie bei Ihrem DNS-Anbieter den A-Eintrag an, den wir Ihnen anzeigen."
  }),
  nxdomain: ({ name }) => ({
    says: `Das DNS der Domain kennt den Namen ${name} nicht.`,
    todo:
      "Legen Sie bei Ihrem DNS-Anbieter den A-Eintrag an, den wir Ihnen anzeigen, und prüfen Sie, ob " +
      "die Domain dort eingerichtet ist."
  }),
  no_delegation: ({ name }) => ({
    says:
      `${name} ist nicht registriert, oder die Registrierung ist abgelaufen: Die Vergabestelle nennt ` +
      `keine Nameserver dafür.`,
    todo:
      "Prüfen Sie bei der Firma, bei der Sie die Domain registriert haben, ob sie noch Ihnen gehört " +
      "und bezahlt ist, und verlängern Sie sie."
  }),
  authorities_disagree: ({ has, list, name }) => ({
    says:
      `Die Nameserver von ${name} widersprechen sich: ` +
      `${has("here") ? `${list("here")} führen zu uns, ` : ""}` +
      `${has("elsewhere") ? `${list("elsewhere")} führen woandershin` : "andere führen woandershin"}.`,
    todo:
      `Nach einer Änderung dauert das einige Minuten, und es ist nichts zu tun. Hält es länger als ` +
      `ein paar Stunden an, erhält einer der Server die Änderungen nicht. ${ask}`
  }),
  not_visible_yet: ({ name }) => ({
    says:
      `Ihre Änderung an ${name} ist veröffentlicht, aber noch nicht überall sichtbar: Resolver behalten ` +
      `die alte Antwort eine Weile.`,
    todo: "Warten Sie: meist eine Stunde, höchstens einen Tag."
  }),
  lame_delegation: ({ list, name, partly }) => ({
    says: partly
      ? `Der Nameserver ${list("servers")} ist für ${name} eingetragen, kennt die Domain aber nicht.`
      : `Keiner der Nameserver, die für ${name} eingetragen sind, kennt die Domain (${list("servers")}). ` +
        `Sie ist deshalb nicht zu finden.`,
    todo:
      "Richten Sie die Domain auf diesen Nameservern ein, oder tragen Sie bei Ihrem Registrar die " +
      "Nameserver ein, die sie kennen."
  }),
  name_servers_silent: ({ list, name, partly }) => ({
    says: partly
      ? `Der Nameserver ${list("servers")} von ${name} antwortet nicht, andere schon.`
      : `Kein Nameserver von ${name} antwortet (${list("servers")}).`,
    todo: partly
      ? `Besucher warten manchmal länger. ${askIfLasting}`
      : `Oft ist das nach einer Stunde vorbei. ${askIfLasting}`
  }),
  server_failure: ({ has, list, name, partly }) => ({
    says: partly
      ? `Der Nameserver ${list("servers")} antwortet auf Fragen nach ${name} mit einem Fehler, andere ` +
        `antworten richtig.`
      : `Fragen nach ${name} werden mit einem Fehler beantwortet${has("servers") ? ` (${list("servers")})` : ""}.`,
    todo: ask
  }),
  private_name_servers: ({ list, name, partly }) => ({
    says:
      `Die Nameserver ${list("servers")} von ${name} haben Adressen eines privaten Netzes, die ` +
      `niemand im Internet erreicht${partly ? "; andere sind erreichbar" : ""}.`,
    todo: "Tragen Sie bei Ihrem Registrar Nameserver mit öffentlichen Adressen ein."
  }),
  name_servers_unknown: ({ list, name, partly }) => ({
    says:
      `Zu den Nameservern ${list("servers")} von ${name} ist keine Adresse zu ` +
      `finden${partly ? "; andere sind erreichbar" : ", sodass niemand sie fragen kann"}.`,
    todo:
      "Prüfen Sie bei Ihrem Registrar, ob die Namen der Nameserver richtig geschrieben sind und ob es " +
      "deren eigene Domain noch gibt."
  }),
  resolvers_silent: () => ({
    says: "Wir können das DNS zurzeit nicht befragen. Das liegt an uns und sagt nichts über Ihre Domain.",
    todo: "Wir versuchen es automatisch wieder."
  }),
  dnssec_bogus: ({ name }) => ({
    says:
      `Die Signatur (DNSSEC) von ${name} ist ungültig. Viele Anbieter behandeln die Domain deshalb als ` +
      `gefälscht, und ihre Kunden erreichen sie nicht.`,
    todo:
      "Meist kommt das von einem Wechsel des DNS-Anbieters: Lassen Sie bei Ihrem Registrar den alten " +
      "DS-Eintrag entfernen oder erneuern."
  }),
  cname_loop: ({ has, list, name }) => ({
    says:
      `${name} verweist im Kreis auf sich selbst${has("chain") ? ` (${list("chain")})` : ""} und ` +
      `führt deshalb nirgendwohin.`,
    todo:
      "Löschen Sie bei Ihrem DNS-Anbieter einen dieser CNAME-Einträge, und legen Sie den A-Eintrag " +
      "an, den wir Ihnen anzeigen."
  }),
  mixed_providers: ({ list, name }) => ({
    says:
      `${name} hat Nameserver verschiedener Anbieter: ${list("servers")}. Änderungen bei einem von ` +
      `ihnen erreichen die anderen nicht.`,
    todo: "Tragen Sie bei Ihrem Registrar nur die Nameserver des Anbieters ein, bei dem Sie Ihre Einträge pflegen."
  }),
  ipv6_missing: ({ list, name }) => ({
    says: `${name} hat keinen AAAA-Eintrag: Besucher erreichen uns nur über IPv4.`,
    todo: `Legen Sie bei Ihrem DNS-Anbieter den AAAA-Eintrag ${list("wanted")} an.`
  }),
  ipv6_elsewhere: ({ has, list, name }) => ({
    says: `Über IPv6 führt ${name} zu einem anderen Server: ${list("found")}. Besucher mit IPv6 landen dort.`,
    todo: has("wanted")
      ? `Ersetzen Sie bei Ihrem DNS-Anbieter den AAAA-Eintrag durch ${list("wanted")}.`
      : "Löschen Sie den AAAA-Eintrag bei Ihrem DNS-Anbieter."
  }),
  www_missing: ({ list, name }) => ({
    says: `${name} gibt es nicht: Wer die Adresse mit www eingibt, findet nichts.`,
    todo: `Legen Sie bei Ihrem DNS-Anbieter für www den A-Eintrag ${list("wanted")} an.`
  }),
  www_elsewhere: ({ list, name }) => ({
    says: `${name} führt zu einem anderen Server: ${list("found")}.`,
    todo: `Ersetzen Sie ihn bei Ihrem DNS-Anbieter durch den A-Eintrag ${list("wanted")}.`
  }),
  record_missing: ({ list, name, type }) => ({
    says: `Der ${type}-Eintrag von ${name} fehlt.`,
    todo: `Legen Sie ihn bei Ihrem DNS-Anbieter mit diesem Inhalt an: ${list("wanted")}`
  }),
  record_wrong: ({ list, name, type }) => ({
    says: `Der ${type}-Eintrag von ${name} hat einen anderen Inhalt: ${list("found")}`,
    todo: `Richtig wäre: ${list("wanted")}`
  }),
  mixed_scripts: ({ list }) => ({
    says:
      `Der Name mischt Buchstaben verschiedener Schriften (${list("labels")}) und könnte mit einem ` +
      `gleich aussehenden verwechselt werden.`,
    todo: "Prüfen Sie, ob es der Name ist, den Sie meinen."
  })
}
