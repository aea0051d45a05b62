'use strict'

const fs = require('node:fs')
const { DiskSink } = require('../storage/disk')

/** Writes to the place that the app has chosen, which may be that of another file. */
class NamedDiskSink extends DiskSink {
  /**
   * @param {{ destination: string, filename: string }} place
   * @param {boolean} isFlushed whether the system is to write the file to the disk before `next` is called
   */
  constructor ({ destination, filename }, isFlushed, form) {
    super({ directory: destination, name: filename, flags: 'w', mode: 0o666, isFlushed }, form.file, form)
  }

  close (fd, done) {
    if (!this.store.isFlushed || this.onReleased !== null) return super.close(fd, done)
    fs.fsync(fd, (error) => super.close(fd, (closeError) => done(error ?? closeError)))
  }

  remove () {
    return new Promise((resolve) => fs.unlink(this.path, (error) => {
      const isRemoved = !error // Deno 2.9 gives undefined
      if (!isRemoved && error.code !== 'ENOENT') this.form.notRemoved(this.file, error)
      resolve()
    }))
  }

  chooseName () {
    this.create(this.store.name)
  }
}

module.exports = NamedDiskSink
