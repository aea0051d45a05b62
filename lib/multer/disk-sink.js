'use strict'

const { DiskSink } = require('../multipart/disk')

/** Writes to the place that the app has chosen, which may be that of another file. */
class NamedDiskSink extends DiskSink {
  /**
   * @param {{ destination: string, filename: string }} place
   * @param {boolean} isFlushed whether the system is to write the file to the disk before `next` is called
   */
  constructor ({ destination, filename }, isFlushed, form) {
    super({ directory: destination, name: filename, flags: 'w', mode: 0o666, isFlushed }, form.file, form)
  }

  chooseName () {
    this.create(this.store.name)
  }
}

module.exports = NamedDiskSink
