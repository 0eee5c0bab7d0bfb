// A drop zone and picker for a PDF. The file is only processed on this page.
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Text } from 'react-aria-components/Text'
import { ActionButton } from '../components/action-button.tsx'
import { DocumentIcon } from '../components/icons.tsx'
import { texts } from '../locales/texts.ts'

export interface FileDropProps {
  /** After a verdict by code, the file is an option rather than the main action. */
  isSecondary: boolean
  onFile: (file: File) => void
}

export function FileDrop({ isSecondary, onFile }: FileDropProps) {
  return (
    <DropZone
      className="drop-zone"
      getDropOperation={() => 'copy'}
      onDrop={({ items }) => {
        const dropped = items.find((item) => item.kind === 'file')
        void dropped?.getFile().then(onFile)
      }}
    >
      <DocumentIcon />
      <Text slot="label" className="drop-title">
        {isSecondary ? texts.verify.dropTitleAgain : texts.verify.dropTitle}
      </Text>
      <p className="muted">{texts.verify.dropHint}</p>
      <FileTrigger
        acceptedFileTypes={['application/pdf']}
        onSelect={(files) => {
          const file = files?.[0]
          if (file) onFile(file)
        }}
      >
        <ActionButton look={isSecondary ? 'secondary' : 'primary'}>{texts.verify.chooseFile}</ActionButton>
      </FileTrigger>
    </DropZone>
  )
}
