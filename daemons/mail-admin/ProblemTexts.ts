/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("mail-admin.problems", {
  en: {
    sendJson: "Send application/json.",
    bodyLimit: "The body may have at most {bytes} bytes.",
    sendToken: "Send a service token of scope {scope} as x-service-token or as the password of HTTP Basic.",
    domainTaken: "The mail domain exists already",
    domainNotEmpty: "The domain has mailboxes",
    addressTaken: "This address is in use",
    aliasLoop: "The alias leads back to itself",
    rotationUnderWay: "The domain already has a next key",
    noMailbox: "The mailbox does not exist.",
    noAppPassword: "The app password does not exist.",
    otherDomain: "Choose another domain, or delete the existing mail domain.",
    deleteMailboxes: "Delete the mailboxes of the domain first, or send force=true to delete them, too.",
    heldElsewhere: "Another tenant holds the domain. Delete its mail domain first.",
    activateFirst: "Activate the key {selector} first.",
    noSelector: "The domain has no active or next key with this selector.",
    passwordsBusy: "Too many passwords are being checked right now. Try again.",
    mailboxHas: "A mailbox has this address.",
    aliasHas: "An alias has this address and would receive the mailbox's mail.",
    noMailDomain: "The mail domain does not exist.",
    noHost: "The host name does not belong to a mail domain of this server.",
    noAlias: "The alias does not exist.",
    aliasReturns: "Mail to this alias would return to the alias. Choose another destination.",
    aliasExists: "This alias exists already."
  },
  de: {
    sendJson: "Senden Sie application/json.",
    bodyLimit: "Der Inhalt darf höchstens {bytes} Bytes haben.",
    sendToken:
      "Senden Sie ein Dienst-Token mit dem Bereich {scope} als x-service-token oder als Passwort von HTTP Basic.",
    domainTaken: "Diese Mail-Domain gibt es schon",
    domainNotEmpty: "Die Domain hat Postfächer",
    addressTaken: "Diese Adresse ist in Gebrauch",
    aliasLoop: "Der Alias führt zu sich selbst zurück",
    rotationUnderWay: "Die Domain hat schon einen nächsten Schlüssel",
    noMailbox: "Dieses Postfach gibt es nicht.",
    noAppPassword: "Dieses App-Passwort gibt es nicht.",
    otherDomain: "Wählen Sie eine andere Domain, oder löschen Sie die vorhandene Mail-Domain.",
    deleteMailboxes: "Löschen Sie erst die Postfächer der Domain, oder löschen Sie sie mit force=true gleich mit.",
    heldElsewhere: "Die Domain gehört einem anderen Mandanten. Löschen Sie erst dessen Mail-Domain.",
    activateFirst: "Aktivieren Sie erst den Schlüssel {selector}.",
    noSelector: "Die Domain hat keinen aktiven oder nächsten Schlüssel mit diesem Selektor.",
    passwordsBusy: "Zu viele Passwörter werden gerade geprüft. Versuchen Sie es noch einmal.",
    mailboxHas: "Diese Adresse hat ein Postfach.",
    aliasHas: "Diese Adresse hat ein Alias, der die Mail des Postfachs bekäme.",
    noMailDomain: "Diese Mail-Domain gibt es nicht.",
    noHost: "Der Hostname gehört zu keiner Mail-Domain dieses Servers.",
    noAlias: "Diesen Alias gibt es nicht.",
    aliasReturns: "Mail an diesen Alias käme zu ihm zurück. Wählen Sie ein anderes Ziel.",
    aliasExists: "Diesen Alias gibt es schon."
  }
})

shippedTexts("mail-admin.fields", {
  en: {
    tooLongThisDomain: "is too long for this domain",
    mustAddressLowerCase: "must be an address in lower case such as {such}",
    mustDomainCanHave: "must be a domain that can have mail, such as {such}",
    mustLettersDigitsSingle: "must be letters, digits, -, _ and single dots between them",
    mustHavePasswordQuota: "must have password, quota_mb or user_id"
  },
  de: {
    tooLongThisDomain: "ist zu lang für diese Domain",
    mustAddressLowerCase: "muss eine Adresse in Kleinbuchstaben sein, etwa {such}",
    mustDomainCanHave: "muss eine Domain für E-Mail sein, etwa {such}",
    mustLettersDigitsSingle: "darf Buchstaben, Ziffern, -, _ und einzelne Punkte dazwischen enthalten",
    mustHavePasswordQuota: "braucht password, quota_mb oder user_id"
  }
})
