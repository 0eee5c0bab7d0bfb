// The image of a typed name, updated while typing.
import { useEffect, useState } from 'react'
import { exportTypedName } from './signature-image.ts'

/** Base64 PNG of the name in handwriting; undefined while it is drawn or if the name has no visible glyphs. */
export function useTypedImage(name: string): string | undefined {
  const [image, setImage] = useState<string>()
  useEffect(() => {
    let current = true
    const draw = async () => {
      const drawn = await exportTypedName(name.trim())
      if (current) setImage(drawn)
    }
    void draw()
    return () => {
      current = false
    }
  }, [name])
  return image
}
