/** Description of contacts for the shared list and form. */
import { words } from "../../lib/Language.ts"
import { ContactLink } from "../../parts/ContactLink.tsx"
import { kind } from "../telephony/Kind.ts"

const t = words({
  en: {
    title: "Contacts",
    add: "Add a contact",
    none: "No contacts yet",
    about:
      "People you write to. Their addresses are suggested when you write a mail. Add a contact, or import a .vcf " +
      "file of another program.",
    search: "Search",
    name: "Name",
    company: "Company",
    emails: "E-mail addresses",
    addEmail: "Add an address",
    mail: "E-mail",
    phone: "Telephone",
    phones: "Telephone numbers",
    addPhone: "Add a number",
    websites: "Websites",
    addWebsite: "Add a website",
    websiteHint: "With http:// or https://",
    messenger: "Messenger",
    messengerHint: "A handle such as anna_example, or its https address",
    chat: "Chat app",
    chatHint: "Number of at least five digits",
    note: "Note",
    loses: "The contact with its addresses, numbers and note is deleted and cannot be restored."
  },
  de: {
    title: "Kontakte",
    add: "Kontakt hinzufügen",
    none: "Noch keine Kontakte",
    about:
      "Menschen, denen Sie schreiben. Ihre Adressen werden beim Schreiben einer Mail vorgeschlagen. Legen Sie einen " +
      "Kontakt an, oder importieren Sie eine .vcf-Datei eines anderen Programms.",
    search: "Suchen",
    name: "Name",
    company: "Firma",
    emails: "E-Mail-Adressen",
    addEmail: "Adresse hinzufügen",
    mail: "E-Mail",
    phone: "Telefon",
    phones: "Telefonnummern",
    addPhone: "Nummer hinzufügen",
    websites: "Webseiten",
    addWebsite: "Webseite hinzufügen",
    websiteHint: "Mit http:// oder https://",
    messenger: "Messenger",
    messengerHint: "Ein Name wie anna_example oder seine https-Adresse",
    chat: "Chat-App",
    chatHint: "Nummer mit mindestens fünf Ziffern",
    note: "Notiz",
    loses: "Der Kontakt wird mit seinen Adressen, Nummern und der Notiz gelöscht und lässt sich nicht wiederherstellen."
  }
})

/** Contacts of the account with this id; of the default account without one. */
export const contactsOf = (account: string | undefined) =>
  kind("/api/v1/mail/contacts", {
    query: { account },
    title: () => t().title,
    add: () => t().add,
    none: () => t().none,
    about: () => t().about,
    called: ({ name }) => name,
    loses: () => t().loses,
    manage: "webmail.use",
    filters: [{ name: "q", label: () => t().search, wide: true }],
    fields: [
      { name: "name", label: () => t().name, input: { kind: "text" }, required: true },
      { name: "company", label: () => t().company, input: { kind: "text" } },
      { name: "emails", label: () => t().emails, input: { kind: "list", add: () => t().addEmail, ordered: true } },
      { name: "phones", label: () => t().phones, input: { kind: "list", add: () => t().addPhone, ordered: true } },
      {
        name: "websites",
        label: () => t().websites,
        hint: () => t().websiteHint,
        input: { kind: "list", add: () => t().addWebsite, ordered: false }
      },
      {
        name: "messenger",
        label: () => t().messenger,
        hint: () => t().messengerHint,
        input: { kind: "text" },
        nullable: true
      },
      { name: "chat_app", label: () => t().chat, hint: () => t().chatHint, input: { kind: "text" }, nullable: true },
      { name: "note", label: () => t().note, input: { kind: "area", rows: 3 } }
    ],
    columns: [
      {
        title: () => t().name,
        show: ({ company, name }) => (
          <>
            <strong>{name}</strong>
            {company === "" ? null : <small class="block">{company}</small>}
          </>
        )
      },
      {
        title: () => t().mail,
        show: ({ emails }) =>
          emails.map((email) => (
            <div key={email}>
              <ContactLink kind="mail" to={email} />
            </div>
          ))
      },
      {
        title: () => t().phone,
        show: ({ phones }) =>
          phones.map((phone) => (
            <div key={phone}>
              <ContactLink kind="call" to={phone} />
            </div>
          ))
      }
    ]
  })
