import struct,sys,ast
def save(p,shape,vals):
    h="{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }"%(''.join('%d,'%s for s in shape))
    h=h+' '*((64-(10+len(h)+1)%64)%64)+'\n'
    open(p,'wb').write(b'\x93NUMPY\x01\x00'+struct.pack('<H',len(h))+h.encode()+struct.pack('<%dd'%len(vals),*vals))
def load(p):
    b=open(p,'rb').read(); n=struct.unpack('<H',b[8:10])[0]; h=ast.literal_eval(b[10:10+n].decode()); d=b[10+n:]
    return h['shape'],list(struct.unpack('<%dd'%(len(d)//8),d))
