import { type CapabilityViews, openCapabilityViews } from '../harness/capability-views.ts';
import { chatIn } from '../harness/chat.ts';
import { inOrder } from '../../support/shuffled-specs.ts';
import { signInSite, type SignInSite } from '../../support/sign-in-site.ts';
import type { Workbench } from '../harness/workbench.ts';

const elsewhere = (at: string) => at.replace('127.0.0.1', 'auth.localhost');

describe('A sign-in at an MCP server in the editor', function () {
	inOrder(this);
	let site: SignInSite;
	let workbench: Workbench;
	let views: CapabilityViews;
	before(async () => {
		// With this host name the editor leads the browser to the site itself, not through a tunnel of its own.
		site = await signInSite({ server: (at) => ({ authorization_endpoint: `${elsewhere(at)}/authorize` }) });
		const settings = {
			'prowess.mcp.servers': { signed: { type: 'http', url: site.url } },
			'prowess.http.allowHosts': [`127.0.0.1:${site.site.port}`, `auth.localhost:${site.site.port}`],
		};
		({ workbench, views } = await openCapabilityViews('MCP', { workspace: { 'a.txt': 'a' }, settings }));
	});
	afterEach(() => site.site.dropConnections());
	after(async () => {
		await workbench?.close();
		await site?.close();
	});

	it('is asked with its page, happens in the browser, and leads back', async () => {
		const { page } = workbench;
		await views.press('signed', 'Start');
		const chat = chatIn(workbench);
		await chat.press('Start the MCP server signed', '1');
		await chat.view.getByText('Sign in at the MCP server signed').first().waitFor();
		await workbench.screenshot('mcp-sign-in-1-asked');
		const opened = page.context().waitForEvent('page');
		await chat.press('Sign in at the MCP server signed', '1');
		const visited = await opened;
		await visited.waitForURL(/\/callback\?/);
		await views.row('signed').filter({ hasText: 'running · 1 tool' }).waitFor();
		await visited.close();
		await workbench.screenshot('mcp-sign-in-2-signed-in');
	});

	it('is over after Sign Out', async () => {
		await views.press('signed', 'Sign Out');
		await workbench.page.locator('.notification-toast').filter({ hasText: 'You are signed out' }).waitFor();
		await views.row('signed').filter({ hasText: 'not allowed yet' }).waitFor();
	});
});
