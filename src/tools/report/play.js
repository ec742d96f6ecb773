'use strict';
for (const player of document.querySelectorAll('.player')) {
  const { path, cols, blank } = player.dataset;
  const find = (selector) => player.querySelector(selector);
  const [play, output] = ['.play', 'output'].map(find);
  const steps = { U: -cols, D: +cols, L: -1, R: 1 }, side = 60, gap = 2;
  const cells = [...player.querySelectorAll('.tile')];
  cells.splice(+blank, 0, null);
  let hole = +blank, at = 0, timer = 0;
  const move = (step) => {
    const from = hole + step, tile = cells[from];
    tile.style.transform = `translate(${(hole % cols) * side + gap}px, ${Math.floor(hole / cols) * side + gap}px)`;
    cells[hole] = tile;
    cells[from] = null;
    hole = from;
  };
  const go = (to) => {
    while (at < to) move(steps[path[at++]]);
    while (at > to) move(-steps[path[--at]]);
    output.textContent = `${at} of ${path.length}`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = 'Play';
    output.ariaLive = 'polite';
  };
  const start = () => {
    if (at === path.length) go(0);
    play.textContent = 'Pause';
    // A screen reader would otherwise announce every move.
    output.ariaLive = 'off';
    timer = setInterval(() => {
      if (at < path.length) go(at + 1);
      if (at === path.length) stop();
    }, 400);
  };
  const step = (by) => () => {
    stop();
    go(Math.min(Math.max(at + by, 0), path.length));
  };
  play.addEventListener('click', () => (timer ? stop() : start()));
  find('.back').addEventListener('click', step(-1));
  find('.on').addEventListener('click', step(1));
  find('.controls').hidden = false;
}
