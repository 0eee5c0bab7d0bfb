// A User-Agent header in two or three words, as a hint only: the audit trail and its report contain the full text.

const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The browser and, if known, its operating system; for an unknown program its first word. */
export function deviceName(userAgent: string): string {
  const browser = nameOf(BROWSERS, userAgent)
  if (!browser) return userAgent.split(/[\s/]/)[0] ?? userAgent
  const system = nameOf(SYSTEMS, userAgent)
  return system ? `${browser}, ${system}` : browser
}

function nameOf(names: typeof BROWSERS, userAgent: string): string | undefined {
  return names.find(([mark]) => mark.test(userAgent))?.[1]
}
