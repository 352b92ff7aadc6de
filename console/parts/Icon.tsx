/**
 * Line icons on a 24 by 24 grid, part of the code so that nothing is loaded. Decorative only: a text always accompanies
 * them.
 */
const drawings: Readonly<Record<string, string>> = {
  home: "M3 11 12 4l9 7M5 10v10h5v-6h4v6h5V10",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 20a2 2 0 0 0 4 0",
  alarm: "M12 8v5l3 2M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M4 3 2 5M20 3l2 2",
  daemons: "M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01",
  operations: "M3 12h4l3-8 4 16 3-8h4",
  mail: "M3 6h18v12H3zM3 7l9 6 9-6",
  events: "M4 6h16M4 12h16M4 18h10",
  phone: "M6 3h3l2 5-2 2a12 12 0 0 0 5 5l2-2 5 2v3a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2",
  devices: "M3 5h13v10H3zM1 19h14M17 9h5v10h-5zM19 16h1",
  headset: "M4 14v-2a8 8 0 0 1 16 0v2M4 14h3v5H5a1 1 0 0 1-1-1zM20 14h-3v5h2a1 1 0 0 0 1-1zM19 19a4 4 0 0 1-4 2h-2",
  customer: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20a8 8 0 0 1 16 0",
  people: "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3 19a6 6 0 0 1 12 0M16 5.5a3 3 0 0 1 0 5.5M17 13.5a6 6 0 0 1 4 5.5",
  building: "M5 21V4h10v17M15 9h4v12M3 21h18M8 8h4M8 12h4M8 16h4",
  audit: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7M9 8h2",
  calls: "M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2",
  numbers: "M9 4 7 20M17 4l-2 16M4 9h16M4 15h16",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  workflow: "M4 5h6v5H4zM14 14h6v5h-6zM7 10v6h7",
  microphone: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3M6 11a6 6 0 0 0 12 0M12 17v4M9 21h6",
  languages: "M3 5h10M8 3v2M5 5c1 5 4 7 6 8M11 5c-1 5-4 7-7 8M12 20l4-10 4 10M13.5 17h5",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  lifebuoy:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M6 6l3 3M15 15l3 3M18 6l-3 3M9 15l-3 3",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4 4",
  key: "M8 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 12h9M18 12v4M15 12v3",
  more: "M12 5h.01M12 12h.01M12 19h.01",
  check: "M4 12l5 6L20 6",
  warning: "M12 4 2 20h20zM12 10v5M12 18h.01",
  menu: "M4 6h16M4 12h16M4 18h16",
  mailbox: "M3 13l3-8h12l3 8v6H3zM3 13h5l2 3h4l2-3h5",
  bank: "M3 10 12 4l9 6zM5 10v7M10 10v7M14 10v7M19 10v7M3 20h18",
  star: "M12 4l2.5 5 5.5.8-4 3.9.9 5.5-4.9-2.6-4.9 2.6.9-5.5-4-3.9 5.5-.8z",
  clip: "M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4L14.5 7",
  reply: "M10 6 4 12l6 6M4 12h9a7 7 0 0 1 7 7",
  close: "M6 6l12 12M18 6 6 18",
  out: "M10 4H5v16h5M15 8l4 4-4 4M9 12h10"
}

export const Icon = ({ name }: { readonly name: string }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={drawings[name] ?? ""} />
  </svg>
)
