/**
 * Script of the pages: shows moments in the reader's time zone, with UTC as the title. Without it they are in UTC. The
 * policy allows exactly this text. It reads and writes only the page.
 */
export const localTimes = `"use strict";
(() => {
  const zone = document.getElementById("zone");
  const format = new Intl.DateTimeFormat(zone.dataset.locale, {
    day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short"
  });
  const show = (element, text) => {
    element.title = element.textContent;
    element.textContent = text;
  };
  for (const time of document.querySelectorAll("time[datetime*=T]"))
    show(time, format.format(new Date(time.dateTime)));
  for (const span of document.querySelectorAll("[data-from]"))
    show(span, format.formatRange(new Date(span.dataset.from), new Date(span.dataset.until)));
  zone.textContent = zone.dataset.local;
})();
`
