// The people who can sign in or are invited, with an admin's actions.
import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import type { Person } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { type Resource, useResource } from '../data/use-resource.ts'
import { Area } from '../frame/area.tsx'
import { Moment } from '../frame/moment.tsx'
import { Pill } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'
import { useSession } from '../session/session-context.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { ResetFactorButton } from './reset-factor-button.tsx'
import { EditButton, RemoveButton, ResendButton } from './person-actions.tsx'

export function PeopleArea() {
  const people = useResource<Person[]>('/people')
  const [isInviting, setInviting] = useState(false)
  return (
    <Area
      title={texts.people.title}
      lead={texts.people.lead}
      actions={
        <ActionButton look="primary" onPress={() => setInviting(true)}>
          {texts.people.invite}
        </ActionButton>
      }
    >
      <ResourceView resource={people}>
        {(list) => (
          <ul className="rows">
            {list.map((person) => (
              <li key={person.id} className="row">
                <PersonRow person={person} people={people} />
              </li>
            ))}
          </ul>
        )}
      </ResourceView>
      {isInviting && <InviteDialog onInvited={() => void people.reload()} onClose={() => setInviting(false)} />}
    </Area>
  )
}

function LastSeen({ person: { lastSignedInAt, setupLinkExpiresAt } }: { person: Person }) {
  if (lastSignedInAt) return <Moment at={lastSignedInAt} as="distance" words={texts.people.lastSignIn} />
  if (setupLinkExpiresAt) return <Moment at={setupLinkExpiresAt} as="moment" words={texts.people.linkUntil} />
  return texts.people.neverSignedIn
}

function PersonRow({ person, people }: { person: Person; people: Resource<Person[]> }) {
  const { admin } = useSession()
  const onChange = () => void people.reload()
  return (
    <>
      <span className="row-main">
        <span className="row-title">
          {person.name}
          {person.id === admin.id && <span className="row-note"> ({texts.people.you})</span>}
        </span>
        <span className="row-line">{person.email}</span>
      </span>
      <span className="row-side">
        <span className="pills">
          <Pill tone={person.role === 'ADMIN' ? 'active' : 'neutral'}>{texts.frame.roles[person.role]}</Pill>
          {person.secondFactor && <Pill tone="success">{texts.factor.personHas}</Pill>}
          {person.state === 'INVITED' && <Pill tone="neutral">{texts.people.pending}</Pill>}
        </span>
        <span className="row-line">
          <LastSeen person={person} />
        </span>
      </span>
      <span className="row-actions button-row">
        {person.id !== admin.id && <ResendButton person={person} onChange={onChange} />}
        <EditButton person={person} onChange={onChange} />
        <RemoveButton person={person} onChange={onChange} />
        {person.id !== admin.id && person.secondFactor && <ResetFactorButton person={person} onChange={onChange} />}
      </span>
    </>
  )
}
