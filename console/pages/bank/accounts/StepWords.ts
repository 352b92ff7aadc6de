/** What each step of the set-up is, and what to do. */
import { words } from "../../../lib/Language.ts"

export const stepWords = words({
  en: {
    configure: {
      title: "Enter the bank's ids",
      what: "Enter host id, partner id, user id and server address from the bank's EBICS papers: with Change, above."
    },
    init: { title: "Generate the keys", what: "The keys stay here; only their public parts go to the bank." },
    ini: { title: "Send the signature key (INI)", what: "The bank receives the public key of the signature." },
    hia: {
      title: "Send the other keys (HIA)",
      what: "The bank receives the public keys for authentication and encryption."
    },
    letter: {
      title: "Sign and mail the letters",
      what: "Print the letters, sign them with a pen, and mail them to the bank. The bank compares the hashes."
    },
    activate: {
      title: "Wait for the bank, then ask",
      what: "The bank activates the user one to three working days after the letters arrive. Then its keys come here."
    },
    accept: {
      title: "Compare the bank's keys",
      what: "Take the hashes from the bank's letter or its website, not from this page, and enter them below."
    }
  },
  de: {
    configure: {
      title: "Kennungen der Bank eingeben",
      what: "Geben Sie Host-ID, Partner-ID, Teilnehmer-ID und Serveradresse aus den EBICS-Papieren der Bank ein: oben unter Ändern."
    },
    init: {
      title: "Schlüssel erzeugen",
      what: "Die Schlüssel bleiben hier; nur ihre öffentlichen Teile gehen an die Bank."
    },
    ini: {
      title: "Unterschriftsschlüssel senden (INI)",
      what: "Die Bank erhält den öffentlichen Schlüssel der Unterschrift."
    },
    hia: {
      title: "Weitere Schlüssel senden (HIA)",
      what: "Die Bank erhält die öffentlichen Schlüssel für Authentifikation und Verschlüsselung."
    },
    letter: {
      title: "Briefe unterschreiben und schicken",
      what: "Drucken Sie die Briefe, unterschreiben Sie sie von Hand, und schicken Sie sie der Bank. Die Bank vergleicht die Hashwerte."
    },
    activate: {
      title: "Auf die Bank warten, dann fragen",
      what: "Die Bank schaltet den Teilnehmer ein bis drei Werktage nach Eingang der Briefe frei. Dann kommen ihre Schlüssel hierher."
    },
    accept: {
      title: "Schlüssel der Bank vergleichen",
      what: "Nehmen Sie die Hashwerte aus dem Brief oder von der Website der Bank, nicht von dieser Seite, und geben Sie sie unten ein."
    }
  }
})

/** Title of a step that the server names; the name itself when it is none of the set-up. */
export const stepTitle = (name: string): string =>
  name in stepWords() ? stepWords()[name as keyof ReturnType<typeof stepWords>].title : name
