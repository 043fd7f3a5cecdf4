/**
 * A chosen file as the upload of a picture. The bytes decide the format, so the server names what is wrong with any other
 * file. By its type, it would refuse a file that is no picture in words for developers.
 */
export const asPicture = (file: File): Blob =>
  file.type.startsWith('image/') ? file : new Blob([file], { type: 'application/octet-stream' })
