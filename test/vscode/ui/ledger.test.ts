import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from 'playwright-core';
import type { LedgerEntry } from '../../../src/trust/record/store/chain/chain.ts';
import { LEDGER_SCHEMA, LedgerStore } from '../../../src/trust/record/store/ledger-store.ts';
import { openHostDatabase } from '../../../src/trust/record/store/open-database.ts';
import { inOrder } from '../../support/shuffled-specs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openWorkbench, pageFrameIn, type Workbench } from '../harness/workbench.ts';

const rows = 100_000;

describe('The ledger', function () {
	inOrder(this);
	let workbench: Workbench;
	before(async () => {
		workbench = await openWorkbench({ fillHome: (home) => fill(join(home, 'ledger.db')) });
	});
	after(() => workbench?.close());

	const row = (text: string) => pageFrameIn(workbench.page).locator('tr:not(.ledger-detail)', { hasText: text });
	const search = () => pageFrameIn(workbench.page).getByRole('searchbox', { name: 'Search the ledger' });

	it('is shown with its newest rows, and says which of many was changed', async () => {
		await workbench.runCommand('Prowess: Show Ledger');
		const ledger = pageFrameIn(workbench.page);
		await row(`Read file-${rows - 1}.ts`).waitFor();
		await ledger.getByText(`The ledger is damaged. Rows: ${rows}. Chains: 1.`).waitFor();
		await ledger.getByText('Chain host_before, row 5: its content does not match its hash').waitFor();
		assert.equal(await ledger.locator('tbody tr').count(), 100);
		await ledger.getByRole('button', { name: 'Show older' }).click();
		await row(`Read file-${rows - 200}.ts`).waitFor();
		await workbench.screenshot('ledger-1-large');
	});

	it('refuses a filter that it cannot read, and shows what fits', async () => {
		await workbench.runCommand('Prowess: Filter Ledger');
		await pageFrameIn(workbench.page).locator('input[type=search]:focus').waitFor();
		await workbench.page.keyboard.type('kind:denied');
		await pageFrameIn(workbench.page).getByText('kind: takes intent, outcome, denial, note; got "denied"').waitFor();
		await search().fill('op:fs.read 00.ts');
		await pageFrameIn(workbench.page).getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Denied' });
		await row(`Read file-${rows - 100}.ts`)
			.getByText('Denied')
			.waitFor();
		await row(`Read file-${rows - 1}.ts`).waitFor({ state: 'detached' });
		await workbench.screenshot('ledger-2-filtered');
	});

	it('shows all that is recorded of a row', async () => {
		await pageFrameIn(workbench.page)
			.getByRole('button', { name: `Read file-${rows - 100}.ts` })
			.press('Enter');
		await pageFrameIn(workbench.page)
			.getByText(`op_${rows - 100}`, { exact: true })
			.waitFor();
		await pageFrameIn(workbench.page).getByRole('button', { name: 'Hashes' }).press('Enter');
		await pageFrameIn(workbench.page)
			.getByText(`host_before:${rows - 99}`)
			.waitFor();
		await workbench.screenshot('ledger-3-entry');
	});

	it('exports what fits', async () => {
		const path = join(workbench.workspace, 'denied.csv');
		await search().fill('kind:denial 00.ts');
		await pageFrameIn(workbench.page).getByRole('combobox', { name: 'Result' }).selectOption({ label: 'All results' });
		await row(`Read file-${rows - 100}.ts`).waitFor();
		await pageFrameIn(workbench.page).getByRole('button', { name: 'Export…' }).click();
		const place = await titled('Export Ledger: kind:denial 00.ts');
		const input = place.locator('input');
		await waitFor('the folder', async () => (await input.inputValue()).endsWith('/workspace/'));
		await input.fill(path);
		await workbench.screenshot('ledger-4-export');
		await place.getByRole('button', { name: 'OK' }).click();
		await workbench.page.locator('.notification-toast', { hasText: 'Exported the ledger to' }).waitFor();
		const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\r\n');
		assert.match(head ?? '', /^writer,seq,id,at,kind,opId,op,/);
		assert.equal(lines.length, rows / 100 - 1);
		assert.match(lines[0] ?? '', /,denial,op_100,fs\.read,/);
	});

	it('says that nothing fits, is whole again without a filter, and is there again after a reload', async () => {
		await search().fill('no such words');
		await pageFrameIn(workbench.page).getByText('Nothing is recorded that fits.').waitFor();
		await pageFrameIn(workbench.page).getByRole('button', { name: 'Clear filters' }).click();
		await row(`Read file-${rows - 1}.ts`).waitFor();
		await workbench.reload();
		await pageFrameIn(workbench.page).getByText(`The ledger is damaged. Rows: ${rows}.`).waitFor();
		// VS Code stores the filter of a page some time after: an earlier one may be back, even one that cannot be read.
		await search().fill('');
		await pageFrameIn(workbench.page).getByRole('combobox', { name: 'Result' }).selectOption({ label: 'All results' });
		await row(`Read file-${rows - 1}.ts`).waitFor();
	});

	/** The input or dialog of VS Code with this title. */
	async function titled(title: string): Promise<Locator> {
		const widget = workbench.page
			.locator('.quick-input-widget')
			.filter({ has: workbench.page.locator('.quick-input-title', { hasText: title }) });
		await widget.waitFor();
		return widget;
	}
});

describe('A damaged ledger', function () {
	inOrder(this);
	let workbench: Workbench;
	const damage = (home: string) => {
		const path = join(home, 'ledger.db');
		const { db } = openHostDatabase(path, LEDGER_SCHEMA, false);
		new LedgerStore(db, 'host_before').append([{ entry: entryOf(1), durable: true }]);
		db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		db.close();
		writeFileSync(path, readFileSync(path).fill(0, 0, 100));
	};
	before(async () => {
		workbench = await openWorkbench({ fillHome: damage });
	});
	after(() => workbench?.close());

	it('is told to the user, who sees how many rows cannot be read and which were saved', async () => {
		await workbench.runCommand('Prowess: Show Ledger');
		const notice = workbench.page.locator('.notification-toast', { hasText: 'is damaged or missing' });
		await notice.waitFor();
		await pageFrameIn(workbench.page).getByText('The ledger is damaged. Rows: 2. Chains: 2.').waitFor();
		await pageFrameIn(workbench.page).getByText('the ledger was damaged and moved aside to').first().waitFor();
		await pageFrameIn(workbench.page).getByRole('row').filter({ hasText: 'Read file-1.ts' }).waitFor();
		await workbench.screenshot('ledger-5-damaged');
	});

	it('is reported until the user acknowledges it', async () => {
		await pageFrameIn(workbench.page).getByRole('button', { name: 'Acknowledge…' }).click();
		const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Stop reporting this damage' });
		await dialog.getByText(/0 rows cannot be read/).waitFor();
		await dialog.getByRole('button', { name: 'Acknowledge' }).click();
		await pageFrameIn(workbench.page).getByText('Verified: no row was changed or removed. Rows: 3.').waitFor();
		assert.ok(readdirSync(join(workbench.home, '.prowess')).some((name) => /^ledger\.db\.damaged-.*Z$/.test(name)));
	});
});

/** Fills a ledger with rows of earlier hosts; the fifth row has been tampered with. Every hundredth read was denied. */
function fill(path: string): void {
	const db = new DatabaseSync(path);
	db.exec(`PRAGMA journal_mode = WAL; ${LEDGER_SCHEMA}`);
	const entries = Array.from({ length: rows }, (_, n) => ({ entry: entryOf(n), durable: false }));
	new LedgerStore(db, 'host_before').append(entries);
	db.exec('DROP TRIGGER ledger_no_update');
	db.exec("UPDATE ledger SET decision = 'allow' WHERE seq = 5");
	db.close();
}

function entryOf(n: number): LedgerEntry {
	const isDenied = n % 100 === 0 && n > 0;
	return {
		...{ at: new Date(Date.UTC(2026, 10, 1) + n).toISOString(), opId: `op_${n}`, op: 'fs.read' },
		...{ kind: isDenied ? 'denial' : 'outcome', status: isDenied ? 'denied' : 'done', trigger: 'agent:thr_1' },
		...{ threadId: 'thr_1', risk: 'MONITORED', assessed: null, decision: 'as the rules say', paramsHash: null },
		...{ input: `Read file-${n}.ts`, output: null, durationMs: 1 },
	};
}
