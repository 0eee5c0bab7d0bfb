// The button of every action: shows that the action runs, and does not run it twice.
import type { ReactNode } from 'react'
import { Button, type ButtonProps } from 'react-aria-components/Button'

export interface ActionButtonProps extends Omit<ButtonProps, 'className' | 'children'> {
  look: 'primary' | 'secondary' | 'danger' | 'quiet' | 'icon'
  children: ReactNode
}

/** While `isPending` it keeps the focus, ignores presses and tells screen readers. */
export function ActionButton({ look, children, ...props }: ActionButtonProps) {
  return (
    <Button {...props} className={`button button-${look}`}>
      {props.isPending && <span className="spinner" aria-hidden="true" />}
      {children}
    </Button>
  )
}
