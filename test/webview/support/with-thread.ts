/** The thread most specs begin with: one question, one answer. */
import assert from 'node:assert/strict';
import { type FakeExtension, HERE } from './fake-extension.ts';
import type { FakeThread } from './fake-thread.ts';

export function only(extension: FakeExtension): FakeThread {
	const [thread] = extension.threads.values();
	assert.ok(thread);
	return thread;
}

export const withThread = {
	prepare(fake: FakeExtension): void {
		fake.threadId = fake.addThread({ id: HERE }).id;
		only(fake).say('hello', 'The first answer');
	},
};
