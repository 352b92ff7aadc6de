/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("sip-config.problems", {
  en: {
    sendToken: long(
      "Send a service token of scope {scope} as x-service-token or as the password of Basic credentials, ",
      "from an allowed address."
    ),
    numberTaken: "This number is in use",
    customerTaken: "Another customer has this number",
    domainTaken: "This SIP domain is taken",
    inUse: "Other objects use this one",
    noCall: "The call does not exist.",
    extensionTaken: "An extension of the domain has this number.",
    noExtension: "The extension does not exist.",
    tokenHasNone: "A service token has no extensions.",
    providerAssigns: "Only the provider may assign numbers.",
    noDid: "The DID does not exist.",
    didTaken: "The tenant has a DID with this number, or another tenant holds it.",
    noLine: "The line does not exist.",
    providerConfirms: "Only the provider may confirm the networks of a trunk.",
    noTrunk: "The trunk does not exist.",
    noMenu: "The menu does not exist.",
    noGroup: "The ring group does not exist.",
    groupTaken: "A ring group of the domain has this number.",
    assertSip: "Only the provider may assert the ownership of a SIP domain.",
    noSipDomain: "The SIP domain does not exist.",
    otherTenantSip: "Another tenant holds the SIP domain.",
    noExternal: "The external number does not exist.",
    externalTaken: "An external number with this number exists already.",
    noFilter: "The call filter does not exist.",
    usedBy: "Change or delete the objects in used_by first.",
    otherSip: "Choose another SIP domain.",
    boxTaken: "A voicemail box of the domain has this number.",
    noBox: "The voicemail box does not exist."
  },
  de: {
    sendToken: long(
      "Senden Sie ein Dienst-Token mit dem Bereich {scope} als x-service-token oder als Passwort von HTTP ",
      "Basic, von einer erlaubten Adresse."
    ),
    numberTaken: "Diese Nummer ist schon in Gebrauch",
    customerTaken: "Diese Nummer hat schon ein anderer Kunde",
    domainTaken: "Diese SIP-Domain ist vergeben",
    inUse: "Andere Objekte verwenden dieses",
    noCall: "Diesen Anruf gibt es nicht.",
    extensionTaken: "Diese Nummer hat schon eine Nebenstelle der Domain.",
    noExtension: "Diese Nebenstelle gibt es nicht.",
    tokenHasNone: "Ein Dienst-Token hat keine Nebenstellen.",
    providerAssigns: "Nur der Betreiber darf Rufnummern zuteilen.",
    noDid: "Diese Rufnummer gibt es nicht.",
    didTaken: "Diese Rufnummer hat der Mandant schon, oder ein anderer Mandant hat sie.",
    noLine: "Diese Leitung gibt es nicht.",
    providerConfirms: "Nur der Betreiber darf die Netze eines Anschlusses bestätigen.",
    noTrunk: "Diesen Anschluss gibt es nicht.",
    noMenu: "Dieses Menü gibt es nicht.",
    noGroup: "Diese Rufgruppe gibt es nicht.",
    groupTaken: "Diese Nummer hat schon eine Rufgruppe der Domain.",
    assertSip: "Nur der Betreiber darf eine SIP-Domain ohne Nachweis zuordnen.",
    noSipDomain: "Diese SIP-Domain gibt es nicht.",
    otherTenantSip: "Die SIP-Domain gehört einem anderen Mandanten.",
    noExternal: "Diese externe Nummer gibt es nicht.",
    externalTaken: "Eine externe Nummer mit dieser Nummer gibt es schon.",
    noFilter: "Diesen Anruffilter gibt es nicht.",
    usedBy: "Ändern oder löschen Sie erst, was in used_by steht.",
    otherSip: "Wählen Sie eine andere SIP-Domain.",
    boxTaken: "Diese Nummer hat schon ein Anrufbeantworter der Domain.",
    noBox: "Diesen Anrufbeantworter gibt es nicht."
  }
})

shippedTexts("sip-config.fields", {
  en: {
    emergencyNumberChooseAnother: "is an emergency number; choose another one",
    mustDomain: "must be a domain such as {such}",
    mustDigitsNameLetters: "must be digits, or a name of letters, digits, - and _",
    mustDigitsWordAnonymous: "must be digits, +, * and ?, or the word anonymous",
    mustSoundFile: "must be a sound file such as {such}",
    mustDigits: "must be digits, * or #",
    mustDigitsOther: "must be digits, * and #",
    mustAddressRange: "must be an address range such as {such}, of at least {bits} bits (IPv6: {bits6})",
    requiredBecauseTenantHas: "is required because the tenant has no SIP domain yet",
    duplicate: "is a duplicate",
    mustNumberExtensionSame: "must be the number of an extension of the same SIP domain",
    needsUsernamePassword: "needs username and password",
    areNotNetworksTrunk: "are not the networks of the trunk; read it again",
    mustWsWssUrl: "must be a ws or wss URL",
    requiresPermissionOmit: "requires the permission {permission}; omit it"
  },
  de: {
    emergencyNumberChooseAnother: "ist eine Notrufnummer; wählen Sie eine andere",
    mustDomain: "muss eine Domain sein, etwa {such}",
    mustDigitsNameLetters: "muss aus Ziffern bestehen oder ein Name aus Buchstaben, Ziffern, - und _ sein",
    mustDigitsWordAnonymous: "darf Ziffern, +, * und ? enthalten, oder das Wort anonymous sein",
    mustSoundFile: "muss eine Klangdatei sein, etwa {such}",
    mustDigits: "darf nur Ziffern, * und # enthalten",
    mustDigitsOther: "darf nur Ziffern, * und # enthalten",
    mustAddressRange: "muss ein Adressbereich sein, etwa {such}, mit mindestens {bits} Bits (IPv6: {bits6})",
    requiredBecauseTenantHas: "ist nötig, solange der Mandant noch keine SIP-Domain hat",
    duplicate: "kommt doppelt vor",
    mustNumberExtensionSame: "muss die Nummer einer Nebenstelle derselben SIP-Domain sein",
    needsUsernamePassword: "braucht Benutzernamen und Passwort",
    areNotNetworksTrunk: "sind nicht die Netze des Trunks; laden Sie ihn neu",
    mustWsWssUrl: "muss eine Adresse mit ws oder wss sein",
    requiresPermissionOmit: "braucht das Recht {permission}; lassen Sie es weg"
  }
})
