// Checks a report in a browser: see scripts/browser.
//
//   node browser.mjs CHROMIUM PAGE FOLDER [SVG]
//
// Requirements: only the page itself is loaded. The console is empty. No element overflows the
// width of a phone. The contrast of text is at least 4.5 : 1, light and dark. The tiles of a picture
// move, unless the user prefers reduced motion. No check waits a fixed time for animations.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [executablePath, file, folder, svg] = process.argv.slice(2);
const url = pathToFileURL(file).href;
const profile = mkdtempSync(join(tmpdir(), 'profile-'));
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const inBrowser = async (options, name, check) => {
  const browser = await chromium.launchPersistentContext(join(profile, name), { executablePath, args, offline: true, ...options });
  const page = await browser.newPage();
  const messages = [], requests = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  await check(page, (target) => page.goto(target, { waitUntil: 'load' }));
  assert.deepEqual(messages, [], `${name}: messages on the console`);
  assert(requests.every((target) => target.startsWith('file:')), `${name}: unexpected requests: ${requests}`);
  await browser.close();
  console.log(`${name}: ok`);
};

const fits = async (page) => {
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert(wide[0] <= wide[1], `the page is wider than the screen: ${wide}`);
};

// Relative luminance and contrast as WCAG 2.2 defines them.
const contrast = (page) => page.evaluate(() => {
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = (color) => {
    const [r, g, b] = color.match(/[\d.]+/g).map(Number).map(channel);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const worst = [];
  for (const element of document.querySelectorAll('p, td, th, h1, h2, figcaption, footer, .key-exact, .key-bar, .tick')) {
    const style = getComputedStyle(element), svg = element.closest('.chart');
    let back = svg ?? element;
    while (back && getComputedStyle(back).backgroundColor === 'rgba(0, 0, 0, 0)') back = back.parentElement;
    const found = ratio(svg ? style.fill : style.color, getComputedStyle(back ?? document.body).backgroundColor);
    if (found < 4.5) worst.push(`${element.tagName}.${element.getAttribute('class')} ${found.toFixed(2)}`);
  }
  return [...new Set(worst)];
});

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const desktop = { viewport: { width: 1280, height: 900 } };

for (const colorScheme of ['light', 'dark']) {
  for (const [place, screen] of [['phone', phone], ['desktop', desktop]]) {
    await inBrowser({ ...screen, colorScheme }, `${place}-${colorScheme}`, async (page, open) => {
      await open(url);
      await fits(page);
      assert.deepEqual(await contrast(page), [], 'text has too little contrast');
      await page.screenshot({ path: join(folder, `${place}-${colorScheme}.png`), fullPage: true });
    });
  }
}

await inBrowser(desktop, 'paper', async (page, open) => {
  await open(url);
  await page.pdf({ path: join(folder, 'report.pdf'), format: 'A4', printBackground: true });
});

if (svg) {
  for (const colorScheme of ['light', 'dark']) {
    await inBrowser({ ...desktop, colorScheme }, `picture-${colorScheme}`, async (page, open) => {
      await open(pathToFileURL(svg).href);
      const animations = await page.evaluate(() => document.getAnimations().length);
      assert(animations > 2, 'tiles move');
      // The middle of the animation, by its own time.
      await page.evaluate(() => document.getAnimations().forEach((one) => { one.pause(); one.currentTime = one.effect.getTiming().duration / 2; }));
      await page.screenshot({ path: join(folder, `picture-${colorScheme}.png`) });
      await page.evaluate(() => document.getAnimations().forEach((one) => { one.currentTime = one.effect.getTiming().duration * 0.999; }));
      await page.screenshot({ path: join(folder, `picture-end-${colorScheme}.png`) });
    });
  }
  await inBrowser({ ...desktop, reducedMotion: 'reduce' }, 'picture-still', async (page, open) => {
    await open(pathToFileURL(svg).href);
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0, 'reduced motion is respected');
  });
}
rmSync(profile, { recursive: true, force: true });
