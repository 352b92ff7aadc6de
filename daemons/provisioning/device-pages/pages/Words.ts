/** Texts of the public pages about a device. */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

export const words = shippedTexts("provisioning.device-pages", {
  en: {
    language: "Language",
    title: "Your device is set up",
    server: "The platform in the browser:",
    lead: "Choose what you use, {name}.",
    once: "This page is shown only once. Its passwords cannot be shown again. Close it when you are finished.",
    nothing: "None of the booked services needs anything else on this device.",
    apple: "iPhone, iPad, Mac",
    appleText: "The profile adds your accounts for mail, contacts and calendars, as far as they are booked.",
    appleButton: "Download the profile",
    appleSteps: [
      "iPhone and iPad: tap the button in Safari, then open Settings → Profile Downloaded → Install.",
      "Mac: open the file, then System Settings → General → Device Management → Install."
    ],
    appleLimit: "The button works for 30 minutes.",
    android: "Android",
    androidText:
      "Install DAVx⁵ from your app store. The button then opens DAVx⁵ with your account for contacts and calendars.",
    androidButton: "Open in DAVx⁵",
    androidQr: "Or scan this code with the Android device:",
    androidQrTitle: "QR code that opens DAVx⁵",
    mail: "Thunderbird, Outlook and other mail programs",
    mailText: "Enter your address and this password. Thunderbird finds the servers by itself.",
    address: "E-mail address",
    username: "User name",
    password: "Password",
    incoming: "Incoming mail (IMAP)",
    outgoing: "Outgoing mail (SMTP)",
    tls: "port {port}, SSL/TLS",
    startTls: "port {port}, STARTTLS",
    contacts: "Contacts (CardDAV)",
    calendar: "Calendar (CalDAV)",
    phone: "Desk phone",
    phoneText: long(
      "Enter this address in the phone as the server for automatic provisioning, then restart the phone. The address ",
      "is a password: whoever knows it can make calls in your name. It works until you revoke the device."
    ),
    phoneBase: "Yealink, Grandstream",
    phoneSnom: "Snom (Settings URL)",
    softphone: "Softphone Linphone",
    softphoneText: "In Linphone choose “Scan QR code” at the first start, or “Remote provisioning” and this address.",
    softphoneQr: "QR code for Linphone",
    profileTitle: "Accounts of {host}",
    profileText: "Mail, contacts and calendars. Remove this profile to remove the accounts."
  },
  de: {
    language: "Sprache",
    title: "Ihr Gerät ist eingerichtet",
    server: "Die Plattform im Browser:",
    lead: "Wählen Sie, was Sie benutzen, {name}.",
    once: long(
      "Diese Seite wird nur einmal gezeigt. Ihre Passwörter können nicht noch einmal angezeigt werden. Schließen Sie ",
      "die Seite, wenn Sie fertig sind."
    ),
    nothing: "Keiner der gebuchten Dienste braucht auf diesem Gerät noch etwas.",
    apple: "iPhone, iPad, Mac",
    appleText: "Das Profil legt Ihre Konten für Mail, Kontakte und Kalender an, soweit sie gebucht sind.",
    appleButton: "Profil laden",
    appleSteps: [
      "iPhone und iPad: in Safari auf die Schaltfläche tippen, dann Einstellungen → Profil geladen → Installieren.",
      "Mac: die Datei öffnen, dann Systemeinstellungen → Allgemein → Geräteverwaltung → Installieren."
    ],
    appleLimit: "Die Schaltfläche funktioniert 30 Minuten lang.",
    android: "Android",
    androidText: long(
      "Installieren Sie DAVx⁵ aus Ihrem App-Store. Die Schaltfläche öffnet dann DAVx⁵ mit Ihrem Konto für Kontakte ",
      "und Kalender."
    ),
    androidButton: "In DAVx⁵ öffnen",
    androidQr: "Oder scannen Sie diesen Code mit dem Android-Gerät:",
    androidQrTitle: "QR-Code, der DAVx⁵ öffnet",
    mail: "Thunderbird, Outlook und andere Mailprogramme",
    mailText: "Geben Sie Ihre Adresse und dieses Passwort ein. Thunderbird findet die Server selbst.",
    address: "E-Mail-Adresse",
    username: "Benutzername",
    password: "Passwort",
    incoming: "Posteingang (IMAP)",
    outgoing: "Postausgang (SMTP)",
    tls: "Port {port}, SSL/TLS",
    startTls: "Port {port}, STARTTLS",
    contacts: "Kontakte (CardDAV)",
    calendar: "Kalender (CalDAV)",
    phone: "Tischtelefon",
    phoneText: long(
      "Geben Sie diese Adresse im Telefon als Server für die automatische Einrichtung ein und starten Sie es neu. ",
      "Die Adresse ist ein Passwort: Wer sie kennt, kann in Ihrem Namen telefonieren. Sie gilt, bis Sie das Gerät ",
      "widerrufen."
    ),
    phoneBase: "Yealink, Grandstream",
    phoneSnom: "Snom (Settings URL)",
    softphone: "Softphone Linphone",
    softphoneText:
      "Wählen Sie in Linphone beim ersten Start „QR-Code scannen“ oder „Remote Provisioning“ und diese Adresse.",
    softphoneQr: "QR-Code für Linphone",
    profileTitle: "Konten von {host}",
    profileText: "Mail, Kontakte und Kalender. Entfernen Sie dieses Profil, um die Konten zu entfernen."
  }
})
