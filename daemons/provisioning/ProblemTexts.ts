/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("provisioning.problems", {
  en: {
    slugTaken: "The slug is taken",
    serviceIsBase: "A base service cannot be deleted",
    packageInUse: "The package is in use",
    mappingExists: "The mapping exists",
    linkMailFailed: "The mail cannot be sent",
    noSuchPackage: "The package does not exist",
    userNotActive: "The user is suspended",
    tooManyTokens: "The user has too many unused links",
    noService: "The service does not exist.",
    slugOfService: "Another service has this slug.",
    makeBookable: "Make it a bookable service first.",
    slugOfPackage: "Another package has this slug.",
    deleteUses: "Delete its subscriptions and mappings first.",
    noPackage: "The package does not exist.",
    serviceMapped: "The service has this mapping already.",
    noMapping: "The mapping does not exist.",
    addressGone: "The address is unknown, or no longer valid.",
    asksTooOften: "This address asks too often.",
    telephonyAway: "The telephony daemon does not answer.",
    noUnusedLink: "There is no such unused link.",
    sentOften: "The link was sent several times.",
    relayRefuses: "The mail relay does not accept the mail.",
    linkIsGone: "The link is used, expired, revoked or unknown.",
    daemonAway: "A daemon does not answer. The link stays valid: try again.",
    tokenHasNone: "A service token has no services.",
    userNotYet: "The user is not known yet; try again in a second.",
    tenantHasNone: "The tenant has no such {thing}.",
    catalogLacks: "The catalog has no such package.",
    creatingRequires: "Creating this link requires {permission}.",
    unsuspend: "Unsuspend the user first.",
    revokeUnused: "Revoke unused links first.",
    noUnusedToken: "There is no such unused token.",
    noDevice: "There is no such device."
  },
  de: {
    slugTaken: "Der Kurzname ist vergeben",
    serviceIsBase: "Ein Grunddienst lässt sich nicht löschen",
    packageInUse: "Das Paket ist in Gebrauch",
    mappingExists: "Die Zuordnung gibt es schon",
    linkMailFailed: "Die Mail lässt sich nicht senden",
    noSuchPackage: "Dieses Paket gibt es nicht",
    userNotActive: "Der Benutzer ist gesperrt",
    tooManyTokens: "Der Benutzer hat zu viele unbenutzte Links",
    noService: "Diesen Dienst gibt es nicht.",
    slugOfService: "Diesen Kurznamen hat schon ein anderer Dienst.",
    makeBookable: "Machen Sie ihn erst zu einem buchbaren Dienst.",
    slugOfPackage: "Diesen Kurznamen hat schon ein anderes Paket.",
    deleteUses: "Löschen Sie erst seine Abonnements und Zuordnungen.",
    noPackage: "Dieses Paket gibt es nicht.",
    serviceMapped: "Diese Zuordnung hat der Dienst schon.",
    noMapping: "Diese Zuordnung gibt es nicht.",
    addressGone: "Die Adresse ist unbekannt oder nicht mehr gültig.",
    asksTooOften: "Diese Adresse fragt zu oft.",
    telephonyAway: "Der Dienst für Telefonie antwortet nicht.",
    noUnusedLink: "Diesen unbenutzten Link gibt es nicht.",
    sentOften: "Der Link wurde schon mehrmals gesendet.",
    relayRefuses: "Das Mailrelay nimmt die Mail nicht an.",
    linkIsGone: "Der Link ist benutzt, abgelaufen, widerrufen oder unbekannt.",
    daemonAway: "Ein Dienst antwortet nicht. Der Link bleibt gültig: versuchen Sie es noch einmal.",
    tokenHasNone: "Ein Dienst-Token hat keine Dienste.",
    userNotYet: "Der Benutzer ist noch nicht bekannt; versuchen Sie es in einer Sekunde noch einmal.",
    tenantHasNone: "Das hat der Mandant nicht: {thing}.",
    catalogLacks: "Dieses Paket steht nicht im Katalog.",
    creatingRequires: "Um diesen Link anzulegen, brauchen Sie {permission}.",
    unsuspend: "Heben Sie erst die Sperre des Benutzers auf.",
    revokeUnused: "Widerrufen Sie erst unbenutzte Links.",
    noUnusedToken: "Dieses unbenutzte Token gibt es nicht.",
    noDevice: "Dieses Gerät gibt es nicht."
  }
})

shippedTexts("provisioning.fields", {
  en: {
    setModuleSlugPackage: "set module_slug, package_type or package_id",
    requiredServiceTokens: "is required for service tokens",
    mustContainLanguageEn: "must contain the language en"
  },
  de: {
    setModuleSlugPackage: "geben Sie module_slug, package_type oder package_id an",
    requiredServiceTokens: "ist für Dienst-Tokens nötig",
    mustContainLanguageEn: "muss die Sprache en enthalten"
  }
})
