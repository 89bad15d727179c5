/** A database whose writer was killed in the middle, before it had (or without) a write-ahead log. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Writes far more than fits into its memory, so that part of it is in the file when it dies. */
const writer = `
	const { DatabaseSync } = require('node:sqlite');
	const db = new DatabaseSync(process.argv[1]);
	db.exec('PRAGMA journal_mode = TRUNCATE; PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE cut_off (bytes)');
	for (let n = 0; n < 500; n++) db.exec('INSERT INTO cut_off VALUES (randomblob(2000))');
	process.kill(process.pid, 'SIGKILL');
`;

export function cutOffWrite(path: string): void {
	const { signal, stderr } = spawnSync(process.execPath, ['-e', writer, path], { encoding: 'utf8' });
	assert.equal(signal, 'SIGKILL', stderr);
	assert.ok(statSync(`${path}-journal`).size > 0);
}
