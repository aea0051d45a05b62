'use strict'

// The differences that are meant, each in one sentence.

module.exports = {
  /** From multer, which makes of the form in other words what is seen: see ./form.js. */
  ofForms: {
    dropped: 'A part whose Content-Disposition multer cannot read, and drops, is read or refused as by multipart().',
    inPieces: 'A file name in pieces makes no field of a file: it is refused.',
    bytes: 'A part of bytes without a filename is a field; multer drops it.',
    nameless: 'A file whose name is a folder, or empty and in front of bytes, is one without a name; multer drops it.',
    parts: 'A part over limits.parts is refused by its header, whatever else is wrong with it; multer reads it first.',
    cutHeader: 'A form that ends within the header of a part lacks its end, whatever that header is.',
    cutLine: 'A form that is cut within the line of a boundary lacks its end.',
    inHeader: 'A boundary in the place of the header of a part is the first line of that header, which is malformed.',
    dense: 'A boundary directly behind the header of a part ends that part, which is empty.',
    begins: 'A line that merely begins with the boundary is a line of its value, or of what is in front of the form.',
    within: 'A first boundary that does not begin a line counts; multer loses the part behind it.',
    blanks: 'Blanks may follow a boundary.',
    behind: 'Nothing behind the last boundary is read; multer leaves out one part, and reads the next.'
  },
  /** From multer, in time: see ./judge-multer.js. */
  inTime: {
    filter: 'A filter that answers later is asked about a file once it has answered about the one before.',
    engine: 'Parts behind a file are read until its engine has failed: an error in one of them may count.',
    before: 'After the first error of a form, the request has what came before it, and places of files that failed.',
    removal: 'A path to which two files of a form were written is removed once; multer reports the second removal.'
  },
  /** Of /web from the middleware: see ./judge-sent.js. */
  ofWeb: {
    ahead: 'While it waits for the app or the disk, /web reads no more, and the middleware up to 256 KB of the body: ' +
      'of two faults, it may see one of the whole body before one of a part.',
    ofTheApp: 'A form goes on until the promise of a store or a filter has failed: another error may come first.',
    early: 'An error, or the end of a loop, may come before the app has read, or was asked about, what came before it.'
  }
}
