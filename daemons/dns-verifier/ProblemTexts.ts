/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("dns-verifier.problems", {
  en: {
    accountInUse: "Domains use this account",
    noAdapter: "This provider type has no adapter",
    providerFailed: "The DNS provider refused or failed",
    domainTaken: "This domain is taken",
    recordTaken: "This record exists already",
    cnameConflict: "A CNAME must be the only record of its name",
    recordFixed: "This record cannot be changed directly",
    providerManaged: "This record is managed at the DNS provider",
    planUnderWay: "A plan is being applied",
    notManaged: "The DNS of this domain is not managed here",
    planClosed: "This plan can no longer be changed",
    planStopped: "This plan changes a large part of the zone",
    changeByHand: "{provider} has no adapter. Change its zones by hand.",
    otherAccountFirst: "Give the domains another account first, or send force=true to leave them without an account.",
    mailNeeds: "Mail needs this record. It changes with the mail domain.",
    notOurs: "We did not write this record. Change it at the DNS provider.",
    noRecord: "The record does not exist.",
    otherDomain: "Choose another name, or delete the existing domain.",
    waitForPlan: "Wait until the plan is applied; this takes at most a minute.",
    makePlan: "The record is in the zone at the DNS provider. Make a plan with its id in `remove`, and apply the plan.",
    platformRecord: "This record points the domain to the platform and cannot be changed.",
    platformOnly:
      "{type} at {name} must point to the platform only. Another address would send some visitors elsewhere.",
    besideCname: "{name} has {type} {content}, and a CNAME must be the only record of its name.",
    sameRecord: "A record with this type, name and content exists already.",
    noDomain: "The domain does not exist.",
    noPlan: "The plan does not exist.",
    giveAccount: "Give the domain an account at its DNS provider, with credentials.",
    noZone: "The account has no zone for {name}.",
    planShare: "The plan changes {share} % of the zone. Send force=true to apply it anyway.",
    planEnds: "Wait until the plan has ended.",
    newPlan: "Make a new plan."
  },
  de: {
    accountInUse: "Domains benutzen dieses Konto",
    noAdapter: "Für diese Art von Anbieter gibt es keine Anbindung",
    providerFailed: "Der DNS-Anbieter lehnt ab oder antwortet nicht",
    domainTaken: "Diese Domain ist vergeben",
    recordTaken: "Diesen Eintrag gibt es schon",
    cnameConflict: "Ein CNAME muss der einzige Eintrag seines Namens sein",
    recordFixed: "Dieser Eintrag lässt sich nicht direkt ändern",
    providerManaged: "Dieser Eintrag wird beim DNS-Anbieter verwaltet",
    planUnderWay: "Gerade wird ein Plan angewendet",
    notManaged: "Das DNS dieser Domain wird nicht hier verwaltet",
    planClosed: "Dieser Plan lässt sich nicht mehr ändern",
    planStopped: "Dieser Plan ändert einen großen Teil der Zone",
    changeByHand: "Für {provider} gibt es keine Anbindung. Ändern Sie seine Zonen von Hand.",
    otherAccountFirst: "Geben Sie den Domains erst ein anderes Konto, oder lassen Sie sie mit force=true ohne Konto.",
    mailNeeds: "Mail braucht diesen Eintrag. Er ändert sich mit der Mail-Domain.",
    notOurs: "Diesen Eintrag haben wir nicht geschrieben. Ändern Sie ihn beim DNS-Anbieter.",
    noRecord: "Diesen Eintrag gibt es nicht.",
    otherDomain: "Wählen Sie einen anderen Namen, oder löschen Sie die vorhandene Domain.",
    waitForPlan: "Warten Sie, bis der Plan angewendet ist; das dauert höchstens eine Minute.",
    makePlan: long(
      "Der Eintrag ist in der Zone beim DNS-Anbieter. Machen Sie einen Plan mit seiner Nummer in `remove`, ",
      "und wenden Sie ihn an."
    ),
    platformRecord: "Dieser Eintrag führt die Domain zur Plattform und lässt sich nicht ändern.",
    platformOnly:
      "{type} bei {name} darf nur zur Plattform führen. Eine andere Adresse schickt manche Besucher woandershin.",
    besideCname: "{name} hat {type} {content}, und ein CNAME muss der einzige Eintrag seines Namens sein.",
    sameRecord: "Einen Eintrag mit dieser Art, diesem Namen und Inhalt gibt es schon.",
    noDomain: "Diese Domain gibt es nicht.",
    noPlan: "Diesen Plan gibt es nicht.",
    giveAccount: "Geben Sie der Domain ein Konto bei ihrem DNS-Anbieter, mit Zugangsdaten.",
    noZone: "Das Konto hat keine Zone für {name}.",
    planShare: "Der Plan ändert {share} % der Zone. Mit force=true wenden Sie ihn trotzdem an.",
    planEnds: "Warten Sie, bis der Plan zu Ende ist.",
    newPlan: "Machen Sie einen neuen Plan."
  }
})

shippedTexts("dns-verifier.fields", {
  en: {
    takesNoCredentials: "{provider} takes no credentials",
    noSuchField: "{provider} has no such field",
    mustDomainCanRegistered: "must be a domain that can be registered, and not a public suffix",
    tokenFormerDnsConsole: long(
      "is a token of the former DNS Console, which no longer works; create a token in the Cloud ",
      "project that has the zones"
    ),
    mustPartKeyBefore: "must be the part of the key before the dot",
    mustLettersDigitsHyphens: "must be letters, digits, hyphens and underscores",
    mustAddress: "must be an address such as {such}",
    mustHaveNoQuery: "must have no query and no fragment",
    mustNotContainInvisible: "must not contain invisible characters",
    mustWholeDomain: "must be a whole domain such as {such}",
    mustLieBelowName: "must lie below {domain}; a name with a trailing dot is one in full",
    mustNotWildcard: "must not be a wildcard",
    mustWholeHostName: "must be a whole host name such as {such}",
    mustNotHaveTwo: "must not have two dots in a row, or one in front",
    mustNotContainNo: "must not contain {text}: that is no label of a domain name",
    mustNotHaveUnderscores: "must not have underscores: those are for the names of records",
    mustNotHaveLabels: "must not have labels that begin or end with a hyphen",
    mustNameNotAddress: "must be a name, not an address",
    mustRecordTypeKept: "must be of a record type that is kept here: {types}",
    mustNotContainInvisibleCharacter: "must not contain the invisible character U+{code}",
    mustNotNsWho: "must not be NS: who runs a zone is set where the domain is registered",
    mustNotSoaName: "must not be SOA: the name server writes that by itself",
    mustNotAliasNo: "must not be ALIAS: that is no record but a provider's own; use A and AAAA",
    mustNotSpfType: "must not be SPF: that type was given up (RFC 7208 §3.1); use TXT",
    mustPriorityHost: "must be a priority and a host such as {such}",
    mustHavePriorityFrom: "must have a priority from 0 to 65535",
    mustPriorityWeightPort: "must be priority, weight, port and host such as {such}",
    mustHaveNumbersFrom: "must have numbers from 0 to 65535 as priority, weight and port",
    mustFlagsTagValue: "must be flags, a tag and a value such as {such}",
    mustHaveFlagsFrom: "must have flags from 0 to 255",
    mustHaveValueMost: "must have a value of at most 255 characters of ASCII"
  },
  de: {
    takesNoCredentials: "{provider} braucht keine Zugangsdaten",
    noSuchField: "{provider} kennt dieses Feld nicht",
    mustDomainCanRegistered: "muss eine Domain sein, die man registrieren kann, und keine öffentliche Endung",
    tokenFormerDnsConsole: long(
      "ist ein Token der früheren DNS Console und gilt nicht mehr; erstellen Sie eines in dem ",
      "Cloud-Projekt, zu dem die Zonen gehören"
    ),
    mustPartKeyBefore: "muss der Teil des Schlüssels vor dem Punkt sein",
    mustLettersDigitsHyphens: "darf nur Buchstaben, Ziffern, Bindestriche und Unterstriche enthalten",
    mustAddress: "muss eine Adresse sein, etwa {such}",
    mustHaveNoQuery: "darf weder einen Teil nach ? noch einen nach # haben",
    mustNotContainInvisible: "darf keine unsichtbaren Zeichen enthalten",
    mustWholeDomain: "muss eine ganze Domain sein, etwa {such}",
    mustLieBelowName: "muss unter {domain} liegen; ein Name mit Punkt am Ende gilt als vollständig",
    mustNotWildcard: "darf kein Platzhalter sein",
    mustWholeHostName: "muss ein ganzer Hostname sein, etwa {such}",
    mustNotHaveTwo: "darf nicht zwei Punkte hintereinander oder einen am Anfang haben",
    mustNotContainNo: "darf {text} nicht enthalten: das ist kein Teil eines Domainnamens",
    mustNotHaveUnderscores: "darf keine Unterstriche haben: die sind für Namen von Einträgen",
    mustNotHaveLabels: "darf keinen Teil haben, der mit einem Bindestrich beginnt oder endet",
    mustNameNotAddress: "muss ein Name sein, keine Adresse",
    mustRecordTypeKept: "muss einer dieser Typen sein: {types}",
    mustNotContainInvisibleCharacter: "darf das unsichtbare Zeichen U+{code} nicht enthalten",
    mustNotNsWho: "darf nicht NS sein: wer eine Zone betreibt, legt die Registrierung der Domain fest",
    mustNotSoaName: "darf nicht SOA sein: den schreibt der Nameserver selbst",
    mustNotAliasNo: long(
      "darf nicht ALIAS sein: das ist kein Eintrag des DNS, sondern eine Besonderheit des Anbieters; ",
      "nehmen Sie A und AAAA"
    ),
    mustNotSpfType: "darf nicht SPF sein: diesen Typ gibt es nicht mehr (RFC 7208 §3.1); nehmen Sie TXT",
    mustPriorityHost: "muss aus Priorität und Host bestehen, etwa {such}",
    mustHavePriorityFrom: "braucht eine Priorität von 0 bis 65535",
    mustPriorityWeightPort: "muss aus Priorität, Gewicht, Port und Host bestehen, etwa {such}",
    mustHaveNumbersFrom: "braucht Zahlen von 0 bis 65535 als Priorität, Gewicht und Port",
    mustFlagsTagValue: "muss aus Flags, Tag und Wert bestehen, etwa {such}",
    mustHaveFlagsFrom: "braucht Flags von 0 bis 255",
    mustHaveValueMost: "braucht einen Wert aus höchstens 255 ASCII-Zeichen"
  }
})
