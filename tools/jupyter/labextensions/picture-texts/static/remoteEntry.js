// A notebook keeps beside each picture a text that says what it shows (`plots.show(fig, alt=…)`).
// JupyterLab draws the picture and drops the text, so that a screen reader has nothing to read out.
// Here the picture gets it. JupyterLab takes this file in as it does any extension, without a build.
(window._JUPYTERLAB ??= {})["picture-texts"] = (() => {
  let shared; // the parts of JupyterLab that extensions may use, each by name and version

  async function part(name) {
    const [first] = Object.values(shared[name]);
    return (await first.get())();
  }

  async function extension() {
    const { IRenderMimeRegistry } = await part("@jupyterlab/rendermime");
    const activate = (app, registry) => {
      const pictures = registry.getFactory("image/png");
      const createRenderer = options => {
        const renderer = pictures.createRenderer(options);
        const render = renderer.render.bind(renderer);
        renderer.render = async model => {
          await render(model);
          renderer.node.querySelector("img").alt = model.metadata[options.mimeType]?.alt ?? "";
        };
        return renderer;
      };
      registry.addFactory({ ...pictures, createRenderer });
    };
    const plugin = { id: "picture-texts:plugin", autoStart: true, requires: [IRenderMimeRegistry], activate };
    return () => ({ __esModule: true, default: plugin });
  }

  return { init: scope => { shared = scope; }, get: extension };
})();
