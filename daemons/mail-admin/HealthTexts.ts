/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("mail-admin.health", {
  en: {
    notCounted: long(
      "mails of signed-in users are not counted: set SIGNALBOX_POSTFIX_DIR, or SIGNALBOX_POLICY_PORT ",
      "with SIGNALBOX_POLICY_CLIENTS"
    ),
    domainsWait: "{variables} unset: mail domains wait for their DNS records",
    noKeyFolder: "SIGNALBOX_DKIM_DIR is unset: the signer gets no keys",
    notRead: "the directory has not been read yet",
    unreadableKeys: "{count} DKIM keys cannot be opened",
    firstUnreadable: "the first is {selector} of {domain}, {error}",
    nameless: "{count} keys of domains with too long names have no file",
    sessionsStay: "SIGNALBOX_DOVEADM_URL is unset: sessions of a suspended mailbox stay open"
  },
  de: {
    notCounted: long(
      "E-Mails angemeldeter Benutzer werden nicht gezählt: SIGNALBOX_POSTFIX_DIR setzen, oder ",
      "SIGNALBOX_POLICY_PORT mit SIGNALBOX_POLICY_CLIENTS"
    ),
    domainsWait: "{variables} nicht gesetzt: E-Mail-Domains warten auf ihre DNS-Einträge",
    noKeyFolder: "SIGNALBOX_DKIM_DIR ist nicht gesetzt: Das signierende Programm bekommt keine Schlüssel",
    notRead: "das Verzeichnis wurde noch nicht gelesen",
    unreadableKeys: "{count} DKIM-Schlüssel lassen sich nicht öffnen",
    firstUnreadable: "der erste ist {selector} von {domain}, {error}",
    nameless: "{count} Schlüssel von Domains mit zu langen Namen haben keine Datei",
    sessionsStay: "SIGNALBOX_DOVEADM_URL ist nicht gesetzt: Sitzungen eines gesperrten Postfachs bleiben offen"
  }
})
