import assert from 'node:assert/strict';
import { type CheckedPage, LateCheck } from './late-check.ts';
import type { Check } from './ledger-text.ts';

const found: Check = { kind: 'failed', why: 'The disk is gone.' };

describe('A check that comes late', () => {
	it('before its page is open is shown when it opens', async () => {
		const page = new Page();
		const late = new LateCheck(page, 0);
		const { check, end } = slow();
		assert.deepEqual(await late.take(() => check), { kind: 'running' });
		await end();
		assert.equal(page.renewed, 0);

		page.open = true;
		late.show();
		assert.equal(page.renewed, 1);
		assert.deepEqual(await late.take(never), found);
	});

	it('while its page is open has it made anew, once', async () => {
		const page = new Page();
		const late = new LateCheck(page, 0);
		const { check, end } = slow();
		await late.take(() => check);
		page.open = true;
		await end();
		assert.equal(page.renewed, 1);
		assert.deepEqual(await late.take(never), found);
		late.show();
		assert.equal(page.renewed, 1);
	});

	it('for a page that was closed is not taken for the next one', async () => {
		const page = new Page();
		const late = new LateCheck(page, 0);
		const { check, end } = slow();
		await late.take(() => check);
		await end();

		const next = slow();
		assert.deepEqual(await late.take(() => next.check), { kind: 'running' });
		page.open = true;
		late.show();
		assert.equal(page.renewed, 0);
		await next.end();
		assert.equal(page.renewed, 1);
	});
});

describe('A check that is done in time', () => {
	it('is shown at once, and nothing is made anew', async () => {
		const page = new Page();
		assert.deepEqual(await new LateCheck(page, 60_000).take(() => Promise.resolve(found)), found);
		assert.equal(page.renewed, 0);
	});
});

class Page implements CheckedPage {
	open = false;
	renewed = 0;

	isOpen(): boolean {
		return this.open;
	}

	renew(): void {
		this.renewed++;
	}
}

function slow(): { readonly check: Promise<Check>; end(): Promise<void> } {
	const { promise, resolve } = Promise.withResolvers<Check>();
	return {
		check: promise,
		async end() {
			resolve(found);
			await promise;
			await Promise.resolve();
		},
	};
}

function never(): Promise<Check> {
	throw new Error('it was checked again');
}
