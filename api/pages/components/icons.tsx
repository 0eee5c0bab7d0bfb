// The icons of the pages, in the text colour. They always accompany text, so they are hidden from screen readers.
import type { ReactNode } from 'react'

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

export function CheckIcon() {
  return (
    <Icon>
      <path d="M5 12.5l4.5 4.5L19 7.5" />
    </Icon>
  )
}

export function CrossIcon() {
  return (
    <Icon>
      <path d="M6 6l12 12M18 6L6 18" />
    </Icon>
  )
}

export function SignatureFieldIcon() {
  return (
    <Icon>
      <path d="M4 20h16M7 16l1-4 9-9 3 3-9 9z" />
    </Icon>
  )
}

export function DocumentIcon() {
  return (
    <Icon>
      <path d="M13.5 3H7a1.5 1.5 0 0 0-1.5 1.5v15A1.5 1.5 0 0 0 7 21h10a1.5 1.5 0 0 0 1.5-1.5V8zM13.5 3v5h5M9 13h6M9 16.5h6" />
    </Icon>
  )
}

export function DownloadIcon() {
  return (
    <Icon>
      <path d="M12 4v11M7.5 10.5L12 15l4.5-4.5M5 19.5h14" />
    </Icon>
  )
}

export function PlusIcon() {
  return (
    <Icon>
      <path d="M12 5.5v13M5.5 12h13" />
    </Icon>
  )
}

export function MinusIcon() {
  return (
    <Icon>
      <path d="M5.5 12h13" />
    </Icon>
  )
}

export function FitWidthIcon() {
  return (
    <Icon>
      <path d="M4 5v14M20 5v14M7.5 12h9M10 9.5L7.5 12l2.5 2.5M14 9.5l2.5 2.5-2.5 2.5" />
    </Icon>
  )
}

export function ClockIcon() {
  return (
    <Icon>
      <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2" />
    </Icon>
  )
}

export function InfoIcon() {
  return (
    <Icon>
      <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5M12 7.8v.4" />
    </Icon>
  )
}

export function WarningIcon() {
  return (
    <Icon>
      <path d="M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.3" />
    </Icon>
  )
}

export function CopyIcon() {
  return (
    <Icon>
      <path d="M9 9.5A1.5 1.5 0 0 1 10.5 8h7A1.5 1.5 0 0 1 19 9.5v9a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 9 18.5zM6 16H5.5A1.5 1.5 0 0 1 4 14.5v-9A1.5 1.5 0 0 1 5.5 4h7A1.5 1.5 0 0 1 14 5.5" />
    </Icon>
  )
}

export function MenuIcon() {
  return (
    <Icon>
      <path d="M4 7h16M4 12h16M4 17h16" />
    </Icon>
  )
}

export function ChevronLeftIcon() {
  return (
    <Icon>
      <path d="M14.5 6l-6 6 6 6" />
    </Icon>
  )
}

export function ChevronRightIcon() {
  return (
    <Icon>
      <path d="M9.5 6l6 6-6 6" />
    </Icon>
  )
}

export function ChevronDownIcon() {
  return (
    <Icon>
      <path d="M6 9.5l6 6 6-6" />
    </Icon>
  )
}

export function NextPageIcon() {
  return (
    <Icon>
      <path d="M7 4h10M12 8v12M7 15l5 5 5-5" />
    </Icon>
  )
}
