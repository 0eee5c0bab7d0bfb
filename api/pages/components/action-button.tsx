// The button for all actions: shows that the action is running and prevents a second run.
import type { ReactNode, Ref } from 'react'
import { Button, type ButtonProps } from 'react-aria-components/Button'

export interface ActionButtonProps extends Omit<ButtonProps, 'className' | 'children'> {
  look: 'primary' | 'secondary' | 'danger' | 'quiet' | 'icon'
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** While `isPending` it keeps the focus, ignores presses and informs screen readers. */
export function ActionButton({ look, children, ...props }: ActionButtonProps) {
  return (
    <Button {...props} className={`button button-${look}`}>
      {props.isPending && <span className="spinner" aria-hidden="true" />}
      {children}
    </Button>
  )
}
