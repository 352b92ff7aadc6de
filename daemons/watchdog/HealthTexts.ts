/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("watchdog.health", {
  en: {
    noWay: "no alert leaves by {ways}",
    noTargets: "set SIGNALBOX_ADMIN_EMAIL, SIGNALBOX_ALERT_CHATS or the webhook",
    receiverAnswered: "the heartbeat's receiver answered {status}",
    noBackup: "SIGNALBOX_BACKUP_REPOSITORY is not set: nothing is backed up",
    onlyOwnBans: "only our own bans are shown: set SIGNALBOX_CROWDSEC_URL",
    crowdSecAway: "CrowdSec is away ({problem})",
    noList: "there is no list of its bans yet",
    oldList: "its bans are those of {at}",
    moreBans: "CrowdSec has more bans than are shown",
    seeOrigins: "see SIGNALBOX_CROWDSEC_ORIGINS",
    resultsWait: "results stay in memory: {trouble}"
  },
  de: {
    noWay: "keine Meldung geht hinaus über {ways}",
    noTargets: "SIGNALBOX_ADMIN_EMAIL, SIGNALBOX_ALERT_CHATS oder den Webhook setzen",
    receiverAnswered: "der Empfänger antwortete {status}",
    noBackup: "SIGNALBOX_BACKUP_REPOSITORY ist nicht gesetzt: Nichts wird gesichert",
    onlyOwnBans: "nur eigene Sperren sind zu sehen: SIGNALBOX_CROWDSEC_URL setzen",
    crowdSecAway: "CrowdSec antwortet nicht ({problem})",
    noList: "es gibt noch keine Liste seiner Sperren",
    oldList: "seine Sperren sind die von {at}",
    moreBans: "CrowdSec hat mehr Sperren, als zu sehen sind",
    seeOrigins: "siehe SIGNALBOX_CROWDSEC_ORIGINS",
    resultsWait: "Ergebnisse bleiben im Speicher: {trouble}"
  }
})
