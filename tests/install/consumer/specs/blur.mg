package blur imports imaging.mirrors;

program Blur = implement Mirrors in {
  use Mirrors;
  // Mean with the neighbours along axis 0, the image going on as its mirror image.
  procedure blur(obs image: Array, out result: Array, obs weight: Number) guard dim(image) == 2 {
    var both = mirrored(image, 0);
    var next = take(rotate(both, 0, 1), 0, at(shape(image), 0));
    result = array(1 - weight) * image + array(weight) * next;
  }
};
